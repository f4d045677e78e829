/** Gateways whose targets are decided about together: GIFT and its like. */
@NullMarked
package dev.sluice.control.gateways;

import org.jspecify.annotations.NullMarked;
