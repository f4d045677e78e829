package dev.sluice.web.server;

/**
 * Somebody who asks.
 *
 * @param who a name for logs and audit lines
 */
public record Caller(String who, Role role) {}
