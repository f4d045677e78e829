/** A middle layer, so that not all nodes need to be connected to the controller itself. */
@NullMarked
package dev.sluice.control.aggregator;

import org.jspecify.annotations.NullMarked;
