/** What processes and jobs do in virtual time. */
@NullMarked
package dev.sluice.sim.workload;

import org.jspecify.annotations.NullMarked;
