/** What is simulated: targets, jobs and what their processes do. */
@NullMarked
package dev.sluice.sim.scenario;

import org.jspecify.annotations.NullMarked;
