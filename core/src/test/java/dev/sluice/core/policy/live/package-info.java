/** Policies and schedulers together, at work on a target of a test's own. */
@NullMarked
package dev.sluice.core.policy.live;

import org.jspecify.annotations.NullMarked;
