/** Who may speak to a controller, and for whom. */
@NullMarked
package dev.sluice.control.access;

import org.jspecify.annotations.NullMarked;
