/**
 * How much each job gets next: what a policy is told, what it answers, and which policies there
 * are.
 */
@NullMarked
package dev.sluice.core.policy;

import org.jspecify.annotations.NullMarked;
