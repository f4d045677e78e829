/** Waiting a little, under any order, for jobs that should be next and are about to come back. */
@NullMarked
package dev.sluice.core.schedule.anticipation;

import org.jspecify.annotations.NullMarked;
