/**
 * A simulation request by request: jobs, targets, the control loop and the books over all of them.
 */
@NullMarked
package dev.sluice.sim.run;

import org.jspecify.annotations.NullMarked;
