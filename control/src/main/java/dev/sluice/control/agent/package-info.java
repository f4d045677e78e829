/** A node whose limits come from a controller. */
@NullMarked
package dev.sluice.control.agent;

import org.jspecify.annotations.NullMarked;
