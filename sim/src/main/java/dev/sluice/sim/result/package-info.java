/** What came out of a simulation, and the measures taken from it. */
@NullMarked
package dev.sluice.sim.result;

import org.jspecify.annotations.NullMarked;
