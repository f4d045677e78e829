/** A simulation in which jobs are streams that share targets period by period. */
@NullMarked
package dev.sluice.sim.fluid;

import org.jspecify.annotations.NullMarked;
