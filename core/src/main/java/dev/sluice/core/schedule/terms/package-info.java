/** What a job has besides its weight, under any order: a reserve, a limit, or both. */
@NullMarked
package dev.sluice.core.schedule.terms;

import org.jspecify.annotations.NullMarked;
