package dev.sluice.sim.run;

import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.sim.Simulator;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.DoubleConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Runs simulations at once, on as many threads as there are cores. */
public final class SimRuns {
  private static final int PARTS = 1_000_000;

  private final Supplier<Simulator> simulators;
  private final int threads;
  private final LongSupplier clockNanos;

  /** What to run. */
  public record Choice(Scenario scenario, PolicyFactory policy, Settings settings) {}

  /**
   * What came out.
   *
   * @param wallNanos how long it took on this machine
   */
  public record Outcome(RunResult result, long wallNanos) {}

  public SimRuns(Supplier<Simulator> simulators, int threads, LongSupplier clockNanos) {
    this.simulators = simulators;
    this.threads = threads;
    this.clockNanos = clockNanos;
  }

  /**
   * The outcomes in the order of the choices; the first failure ends all.
   *
   * @param progress hears which part, 0 to 1, is done; from several threads
   */
  public List<Outcome> run(List<Choice> choices, long seed, DoubleConsumer progress)
      throws InterruptedException {
    AtomicIntegerArray done = new AtomicIntegerArray(choices.size());
    // Daemons, so that a failure or an interrupt does not wait for the runs that are still on.
    ExecutorService pool =
        Executors.newFixedThreadPool(
            Math.min(threads, choices.size()),
            Thread.ofPlatform().name("simulation-", 1).daemon().factory());
    try {
      List<Future<Outcome>> futures = new ArrayList<>();
      for (int i = 0; i < choices.size(); i++) {
        int index = i;
        Simulator.Progress told =
            (nowNanos, part) -> {
              done.set(index, (int) (Math.clamp(part, 0, 1) * PARTS));
              progress.accept(mean(done));
            };
        futures.add(pool.submit(() -> one(choices.get(index), seed, told)));
      }
      List<Outcome> outcomes = new ArrayList<>();
      for (Future<Outcome> future : futures) {
        outcomes.add(future.get());
      }
      return outcomes;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private Outcome one(Choice choice, long seed, Simulator.Progress progress) {
    long start = clockNanos.getAsLong();
    RunResult result =
        simulators.get().run(choice.scenario(), choice.policy(), choice.settings(), seed, progress);
    progress.at(result.endNanos(), 1);
    return new Outcome(result, clockNanos.getAsLong() - start);
  }

  private static double mean(AtomicIntegerArray done) {
    long sum = 0;
    for (int i = 0; i < done.length(); i++) {
      sum += done.get(i);
    }
    return (double) sum / done.length() / PARTS;
  }
}
