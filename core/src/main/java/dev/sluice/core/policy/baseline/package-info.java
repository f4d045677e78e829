/** What every policy is compared with: no control, fixed rates, fair queueing. */
@NullMarked
package dev.sluice.core.policy.baseline;

import org.jspecify.annotations.NullMarked;
