package dev.sluice.gateway.nfs4.state;

/**
 * What CREATE_SESSION answers.
 *
 * @param session the session, with what was granted of what was wished for
 * @param sequence of the CREATE_SESSION
 */
public record SessionCreated(Session session, int sequence) {}
