/** Sets of jobs: one job at a time within a set, credits by priority across sets. */
@NullMarked
package dev.sluice.core.schedule.iosets;

import org.jspecify.annotations.NullMarked;
