package dev.sluice.load.play;

import dev.sluice.core.model.JobId;

/**
 * How far a job is.
 *
 * @param outstanding how many of its requests have no answer yet
 */
public record JobProgress(
    JobId id, long bytes, long operations, long outstanding, boolean started, boolean done) {}
