/** A member's side of the connection to whoever gives it orders. */
@NullMarked
package dev.sluice.control.link;

import org.jspecify.annotations.NullMarked;
