/** Virtual time: events in order, and random draws that depend on names instead of on order. */
@NullMarked
package dev.sluice.sim.engine;

import org.jspecify.annotations.NullMarked;
