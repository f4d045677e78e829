/** Reads job_stats: what each job had a Lustre server do. */
@NullMarked
package dev.sluice.lustre.stats;

import org.jspecify.annotations.NullMarked;
