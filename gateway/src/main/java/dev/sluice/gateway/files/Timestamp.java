package dev.sluice.gateway.files;

/** An instant as file systems keep it. */
public record Timestamp(long seconds, int nanos) {}
