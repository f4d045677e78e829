package dev.sluice.gateway.nfs4.state;

/**
 * Who opened or locked a file: a client's name for it, which counts with that client alone.
 *
 * @param client compared by identity
 * @param name chosen by the client
 */
record OwnerKey(Client client, Bytes name) {}
