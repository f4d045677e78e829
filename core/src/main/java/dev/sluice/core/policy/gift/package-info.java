/** GIFT: throttle some, give others more, and pay back with coupons. */
@NullMarked
package dev.sluice.core.policy.gift;

import org.jspecify.annotations.NullMarked;
