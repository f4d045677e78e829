package dev.sluice.store.documents;

import dev.sluice.core.model.JobId;

/** A job that is there now, and whose it is. */
public record PresentJob(JobId job, String user) {}
