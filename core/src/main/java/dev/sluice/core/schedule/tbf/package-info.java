/** Lustre's token bucket filter as designed: a bucket and a queue per job, ordered by deadline. */
@NullMarked
package dev.sluice.core.schedule.tbf;

import org.jspecify.annotations.NullMarked;
