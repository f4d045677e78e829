/** The protocol by which targets report what they saw, and when that suffices for a decision. */
@NullMarked
package dev.sluice.core.policy.collect;

import org.jspecify.annotations.NullMarked;
