package dev.sluice.gateway.nfs4.state;

/**
 * Who spoke when a client introduced itself; nobody else may take its name.
 *
 * @param text two that are equal are the same
 */
public record Principal(String text) {}
