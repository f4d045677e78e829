package dev.sluice.gateway.control;

import java.util.concurrent.Executor;

/**
 * What decisions are taken with.
 *
 * @param decider asks targets and runs policies, each on a thread that it may block
 * @param whenDecided told, from a thread of the decider, that a look is worth it
 * @param controls puts policies to work
 * @param epochOffsetNanos what to add to the loop's times to have nanoseconds since 1970, in which
 *     policies think: what they remember may outlive the clock that the loop goes by
 */
public record DecisionSetting(
    Executor decider, Runnable whenDecided, PolicyControls controls, long epochOffsetNanos) {}
