package dev.sluice.studies.capacity;

import dev.sluice.core.capacity.CapacityBounds;
import dev.sluice.core.capacity.Pacer;
import dev.sluice.core.capacity.ServiceCapacity;
import dev.sluice.core.capacity.ServicePeriod;
import dev.sluice.core.model.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * A service with a filter in front of it, as a Lustre server has, in virtual time: clients that
 * always want more, a filter that lets so many requests a second pass, threads that serve them, and
 * a storage behind. Once a period the service shows sums, and the filter is told another rate.
 */
final class ServiceTrial {
  static final long SECOND = 1_000_000_000L;

  /** How many requests all clients together have under way. */
  private static final int OUTSTANDING = 128;

  private final StorageModel model;
  private final SimulatedStorage storage;
  private final Setting setting;
  private final SplittableRandom random;
  private final ServiceCapacity capacity;
  private final Pacer filter;
  private final PriorityQueue<Long> ends = new PriorityQueue<>(Comparator.naturalOrder());

  private int waiting = OUTSTANDING;
  private int inService;
  private long nowNanos;
  private long givenPerSecond;

  // Of the period that goes on.
  private long served;
  private double inServiceNanos;
  private double waitingNanos;

  /**
   * How the service is.
   *
   * @param threads how many requests it serves at once, at most
   * @param periodNanos how often it is looked at
   */
  record Setting(int threads, long periodNanos) {}

  /**
   * What came of it, by period.
   *
   * @param believed requests a second; 0 while nothing is
   * @param served requests a second
   * @param inService requests at once
   */
  record Seen(List<Double> believed, List<Double> served, List<Double> inService) {}

  ServiceTrial(StorageModel model, SimulatedStorage storage, Setting setting, long seed) {
    this.model = model;
    this.storage = storage;
    this.setting = setting;
    this.random = new SplittableRandom(seed);
    this.capacity = new ServiceCapacity(CapacityBounds.none(setting.threads), 0);
    this.givenPerSecond = capacity.perSecond();
    this.filter = new Pacer(givenPerSecond, 0);
  }

  /** Runs so many periods. */
  Seen run(int periods) {
    Seen seen = new Seen(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int period = 1; period <= periods; period++) {
      until(period * setting.periodNanos);
      ServicePeriod shown = shown();
      capacity.observe(shown, nowNanos);
      capacity.checkInvariants();
      givenPerSecond = capacity.perSecond();
      filter.rate(givenPerSecond);
      seen.believed.add(capacity.isKnown() ? capacity.belief().tokensPerSecond() : 0.0);
      seen.served.add(shown.served() / seconds());
      seen.inService.add(shown.inService());
    }
    return seen;
  }

  private double seconds() {
    return (double) setting.periodNanos / SECOND;
  }

  private ServicePeriod shown() {
    double used = served / (givenPerSecond * seconds());
    double meanWaiting = waitingNanos / setting.periodNanos;
    ServicePeriod shown =
        new ServicePeriod(
            (double) served,
            inServiceNanos / setting.periodNanos,
            meanWaiting,
            meanWaiting >= 0.5 && used >= 0.85,
            setting.periodNanos);
    served = 0;
    inServiceNanos = 0;
    waitingNanos = 0;
    return shown;
  }

  private void until(long endNanos) {
    while (true) {
      takeUp();
      long next = ends.isEmpty() ? Long.MAX_VALUE : ends.peek();
      if (waiting > 0 && inService < setting.threads) {
        next = Math.min(next, Math.max(nowNanos + 1, filter.readyAtNanos()));
      }
      pass(Math.min(next, endNanos));
      if (next > endNanos) {
        return;
      }
      while (!ends.isEmpty() && ends.peek() <= nowNanos) {
        ends.remove();
        inService--;
        served++;
        waiting++;
      }
    }
  }

  private void pass(long toNanos) {
    inServiceNanos += (double) inService * (toNanos - nowNanos);
    waitingNanos += (double) waiting * (toNanos - nowNanos);
    nowNanos = toNanos;
  }

  private void takeUp() {
    while (waiting > 0 && inService < setting.threads && filter.isReady(nowNanos)) {
      filter.spend(1, nowNanos);
      waiting--;
      inService++;
      StorageModel.Load load = model.load();
      boolean names = random.nextDouble() < load.metadataPart();
      boolean write = random.nextDouble() < load.writePart();
      Operation operation = names ? Operation.CREATE : write ? Operation.WRITE : Operation.READ;
      ends.add(storage.serve(operation, names ? 0 : load.bytes(), nowNanos));
    }
  }
}
