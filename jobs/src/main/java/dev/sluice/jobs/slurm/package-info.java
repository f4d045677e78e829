/** Which jobs run where, by what Slurm says: told by its hooks, asked for, or both. */
@NullMarked
package dev.sluice.jobs.slurm;

import org.jspecify.annotations.NullMarked;
