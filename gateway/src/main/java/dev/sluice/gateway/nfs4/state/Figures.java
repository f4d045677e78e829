package dev.sluice.gateway.nfs4.state;

/**
 * How much is remembered.
 *
 * @param clients those that made a session
 * @param unconfirmed those that only introduced themselves
 * @param courtesy clients whose lease ran out
 * @param sessions of all clients
 * @param opens files that are open, one for each owner
 * @param locks lock owners with a file, be it locked at the moment or not
 * @param lockRanges ranges that are locked
 * @param files files that are open
 */
public record Figures(
    int clients,
    int unconfirmed,
    int courtesy,
    int sessions,
    int opens,
    int locks,
    int lockRanges,
    int files) {}
