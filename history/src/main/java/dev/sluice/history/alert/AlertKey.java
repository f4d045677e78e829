package dev.sluice.history.alert;

/**
 * Which alert.
 *
 * @param subject the target or job that it is about; empty where there is only one
 */
public record AlertKey(AlertKind kind, String subject) {}
