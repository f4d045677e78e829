/**
 * A toy policy: who is new weighs more for a while. It is added as CONTRIBUTING tells it, in a test
 * that puts this folder beside the other policies, and it is nobody's choice for real jobs.
 */
@NullMarked
package dev.sluice.core.policy.welcome;

import org.jspecify.annotations.NullMarked;
