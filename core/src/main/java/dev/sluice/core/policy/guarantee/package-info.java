/** Minimums that somebody was promised, and what becomes of them as reserves of jobs. */
@NullMarked
package dev.sluice.core.policy.guarantee;

import org.jspecify.annotations.NullMarked;
