package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.MemoryBudget;

/**
 * What all connections of a server share.
 *
 * @param stallNanosMax how long a client may take nothing of what is sent to it
 */
record RpcServerParts(
    Programs programs,
    Admissions admissions,
    CallService calls,
    DuplicateRequestCache duplicates,
    BufferPool pool,
    MemoryBudget budget,
    OutputFlusher flusher,
    RpcCounters counters,
    long stallNanosMax) {}
