package dev.sluice.gateway.nfs4.state;

/**
 * What EXCHANGE_ID answers.
 *
 * @param clientId the client's number
 * @param sequence of the CREATE_SESSION that is expected next
 * @param isConfirmed whether the client has made a session already
 */
public record Exchanged(long clientId, int sequence, boolean isConfirmed) {}
