package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.StateId;

/**
 * What an OPEN gave.
 *
 * @param id names it
 * @param isNew whether the owner did not have the file open before
 */
public record Opened(StateId id, boolean isNew) {}
