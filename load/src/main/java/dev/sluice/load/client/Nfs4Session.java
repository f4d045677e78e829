package dev.sluice.load.client;

import dev.sluice.nfs.nfs4.SessionId;

/**
 * A session, and what the server knows its client by.
 *
 * @param transferBytesMax the most that a READ or a WRITE may move in it
 */
record Nfs4Session(
    long clientId, SessionId id, int transferBytesMax, SlotTable<Nfs4Request<?>> slots) {}
