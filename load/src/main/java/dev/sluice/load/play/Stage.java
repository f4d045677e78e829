package dev.sluice.load.play;

import java.util.SplittableRandom;

/**
 * What a process plays on.
 *
 * @param account its job's books
 * @param barrier where the processes of its job wait for each other
 * @param random its own source of random numbers
 */
record Stage(
    PlayTime time,
    JobAccount account,
    PhaseBarrier barrier,
    Requests requests,
    SplittableRandom random) {}
