/** Help for people who mistype. */
@NullMarked
package dev.sluice.core.text;

import org.jspecify.annotations.NullMarked;
