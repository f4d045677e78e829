/** Which request next, on one target: what a scheduler is asked, and what it answers. */
@NullMarked
package dev.sluice.core.schedule;

import org.jspecify.annotations.NullMarked;
