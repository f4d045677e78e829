/** Shows who changed what, and whether anybody has changed that. */
@NullMarked
package dev.sluice.app.audit;

import org.jspecify.annotations.NullMarked;
