package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.StateId;

/**
 * A file that a client has open, as it is at a moment.
 *
 * @param id of the open, with its sequence number
 * @param file what is open
 * @param access {@link Share} bits of what the client may do
 * @param deny {@link Share} bits of what others may not do
 * @param held what the open holds
 */
public record Opening(StateId id, Object file, int access, int deny, AutoCloseable held) {}
