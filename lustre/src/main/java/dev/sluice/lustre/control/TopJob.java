package dev.sluice.lustre.control;

import dev.sluice.core.model.JobId;

/**
 * A line of what is going on: one job.
 *
 * @param rule the rule that holds for it, whoever wrote it; {@code default} where there is none
 * @param allowedPerSecond what that rule lets pass, on the partitions that serve the job
 * @param heldBack whether it uses up what it may have
 */
public record TopJob(
    JobId job,
    double rpcsPerSecond,
    double readBytesPerSecond,
    double writtenBytesPerSecond,
    String rule,
    double allowedPerSecond,
    boolean heldBack) {}
