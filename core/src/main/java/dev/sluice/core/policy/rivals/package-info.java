/**
 * What GIFT is compared with: fair shares of each target, synchronous fair shares, their gaps
 * filled, bandwidth at any price, and simple rules for whom to throttle.
 */
@NullMarked
package dev.sluice.core.policy.rivals;

import org.jspecify.annotations.NullMarked;
