package dev.sluice.sim.report;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the words in tables mean; docs/simulation.md says the same at more length. */
final class Definitions {
  private Definitions() {}

  static Map<String, String> all() {
    Map<String, String> meanings = new LinkedHashMap<>();
    meanings.put(
        "throughput",
        "What was completed, divided by the time from a job's start to its end; for all jobs"
            + " together, until the last one's end.");
    meanings.put(
        "completion, makespan", "From a job's start to its end; until the last job's end.");
    meanings.put("I/O time", "Time in which at least one request of the job was outstanding.");
    meanings.put(
        "slowdown",
        "(end − start − time it computed or paused) / I/O time with the storage to itself; 1 is"
            + " undisturbed. For all jobs the geometric mean.");
    meanings.put(
        "fairness",
        "Jain's index of throughput per node: 1 where shares follow nodes, 1/n where one of n has"
            + " all.");
    meanings.put("utilised", "Part of the time in which targets were serving something.");
    meanings.put(
        "p50, p99",
        "Half, or 99 of 100, of a job's requests took at most this long from arrival to"
            + " completion; the worst p99 is that of the job that has the highest. Requests that"
            + " still waited at the end count with their age by then.");
    meanings.put(
        "still waiting",
        "Requests that were not complete at the end, and for how long the oldest had waited.");
    meanings.put(
        "decisions, changes",
        "How often the policy decided, over all targets, and how many rates or weights it changed:"
            + " what control costs.");
    return meanings;
  }
}
