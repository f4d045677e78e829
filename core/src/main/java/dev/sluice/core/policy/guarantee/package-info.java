/** What somebody was promised: minimums and latencies, and what becomes of them. */
@NullMarked
package dev.sluice.core.policy.guarantee;

import org.jspecify.annotations.NullMarked;
