/** What goes over the wire, and what is refused of it. */
@NullMarked
package dev.sluice.control.wire;

import org.jspecify.annotations.NullMarked;
