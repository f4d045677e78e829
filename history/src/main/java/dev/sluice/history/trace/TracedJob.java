package dev.sluice.history.trace;

/** A job in a trace: its name, whose it is, and its claim to a share. */
public record TracedJob(String id, String user, long weight) {}
