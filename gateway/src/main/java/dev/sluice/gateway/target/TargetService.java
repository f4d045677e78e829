package dev.sluice.gateway.target;

/** One target of the gateway: its scheduler, its threads and its counts. */
public final class TargetService {}
