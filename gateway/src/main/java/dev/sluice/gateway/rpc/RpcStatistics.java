package dev.sluice.gateway.rpc;

/**
 * What an RPC server has done so far.
 *
 * @param connections open now
 * @param accepted connections so far
 * @param refused connections that were one too many
 * @param strangers connections from addresses that may use nothing here
 * @param malformed connections that were closed because of what came on them
 * @param duplicates calls that were dropped or answered from memory because they came before
 * @param postponed calls whose clients were told to come later
 * @param inFlight calls that are not answered yet
 * @param heldBytes memory that is held for them
 */
public record RpcStatistics(
    int connections,
    long accepted,
    long refused,
    long strangers,
    long malformed,
    long calls,
    long duplicates,
    long postponed,
    long inFlight,
    long heldBytes,
    long receivedBytes,
    long sentBytes) {}
