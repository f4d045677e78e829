package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.MemoryBudget;
import dev.sluice.gateway.memory.PipePool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * What all connections of a server share.
 *
 * @param pipes for what is sent
 * @param incomingPipes for what comes in; others than those, because calls that wait keep them
 * @param standIns readers that read in the place of one that serves a call for long
 * @param whenClosed is told of every connection that has ended
 */
record RpcServerParts(
    Programs programs,
    Admissions admissions,
    CallService calls,
    DuplicateRequestCache duplicates,
    BufferPool pool,
    PipePool pipes,
    PipePool incomingPipes,
    MemoryBudget budget,
    Postponements postponements,
    KnownTargets targets,
    OutputFlusher flusher,
    RpcCounters counters,
    RecordReader.Patience patience,
    AtomicInteger standIns,
    RateLimitedLog log,
    Consumer<Connection> whenClosed) {}
