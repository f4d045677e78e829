/** A target: requests wait here in a scheduler's order until threads are free and it may be. */
@NullMarked
package dev.sluice.gateway.target;

import org.jspecify.annotations.NullMarked;
