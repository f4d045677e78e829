package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.nfs.rpc.Credential;

/**
 * What stands at the head of a call.
 *
 * @param client where it came from
 * @param privilegedPort whether it came from a port below 1024
 */
public record RpcCall(
    ClientAddress client,
    boolean privilegedPort,
    int xid,
    int program,
    int version,
    int procedure,
    Credential credential) {}
