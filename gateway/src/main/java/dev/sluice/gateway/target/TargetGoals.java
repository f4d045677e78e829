package dev.sluice.gateway.target;

import dev.sluice.core.policy.guarantee.GoalLook;

/**
 * What became of goals on a target since somebody looked last.
 *
 * @param capacityPerSecond what the target can do, in tokens; infinitely much while nobody knows
 * @param found whether that is found out
 * @param servedTokens worth of all that was served
 */
public record TargetGoals(
    GoalLook look, double capacityPerSecond, boolean found, long servedTokens) {}
