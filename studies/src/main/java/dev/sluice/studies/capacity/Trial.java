package dev.sluice.studies.capacity;

import dev.sluice.core.capacity.CapacityBounds;
import dev.sluice.core.capacity.CapacityControl;
import dev.sluice.core.capacity.Pacer;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Pace;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.registry.Schedulers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Gateways in virtual time, each with a scheduler in front of the same storage, two jobs that
 * always want more and a light one that has one small request at a time.
 */
final class Trial {
  static final long SECOND = 1_000_000_000L;

  static final TokenUnit UNIT = new TokenUnit(16 << 10, 1);
  private static final int BUSY_JOBS = 2;
  private static final int OUTSTANDING = 64;
  private static final long LIGHT_BYTES = 4 << 10;
  private static final long THINK_NANOS = 80_000_000;

  private final PolicyFactory policy;
  private final StorageModel model;
  private final SimulatedStorage storage;
  private final SplittableRandom random;
  private final List<Front> fronts = new ArrayList<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::number));
  private long numbers;

  private record Event(long atNanos, long number, Runnable what) {}

  /** What happened on one gateway. */
  static final class Seen {
    /** By second, what was believed, in tokens a second; 0 while nothing was. */
    final List<Double> believed = new ArrayList<>();

    /** By second, what was served, in tokens. */
    final List<Double> served = new ArrayList<>();

    /** By second, how many requests might be in service. */
    final List<Double> depth = new ArrayList<>();

    /** Of the light job, in the order of their ends: when, and how long it took. */
    final List<long[]> light = new ArrayList<>();

    /** By second, what the first of the busy jobs was served, in tokens. */
    final List<Double> first = new ArrayList<>();
  }

  /**
   * What was promised to whom.
   *
   * @param weightOfSecond of the second busy job; that of the others is 1
   * @param heldPart to what part of its capacity the storage is held whatever the goals; 1 for none
   */
  record Promised(Promises promises, long weightOfSecond, double heldPart) {}

  /**
   * @param policy who is next, and what is reserved for promises; each target alone
   */
  Trial(PolicyFactory policy, StorageModel model, SimulatedStorage storage, long seed) {
    this.policy = policy;
    this.model = model;
    this.storage = storage;
    this.random = new SplittableRandom(seed);
  }

  /** What the storage can serve of this load at full speed, in tokens a second. */
  static double capacity(StorageModel model) {
    StorageModel.Load load = model.load();
    Operation light = lightOperation(load);
    long lightBytes = light == Operation.GETATTR ? 0 : LIGHT_BYTES;
    double lightPerSecond = 1e9 / THINK_NANOS;
    double lightPart =
        model.part(light == Operation.GETATTR, light == Operation.WRITE, lightBytes)
            * lightPerSecond;
    return (1 - lightPart)
            * model.requestsPerSecond()
            * (UNIT.price(1, 0) + (1 - load.metadataPart()) * load.bytes())
        + lightPerSecond * UNIT.price(1, lightBytes);
  }

  private static Operation lightOperation(StorageModel.Load load) {
    if (load.metadataPart() > 0.5) {
      return Operation.GETATTR;
    }
    return load.writePart() > 0.5 ? Operation.WRITE : Operation.READ;
  }

  /** Adds a gateway that finds its capacity out, from this instant on. */
  Seen findsOut(long fromNanos) {
    return findsOut(fromNanos, null);
  }

  /** The same, with promises to keep. */
  Seen findsOut(long fromNanos, @Nullable Promised promises) {
    CapacityControl control = new CapacityControl(CapacityBounds.none(64), UNIT, 0);
    return add(new Front(control, 64, 1_000_000_000, promises), fromNanos);
  }

  /** Adds a gateway that was told its capacity. */
  Seen told(long tokensPerSecond, int workers) {
    return told(tokensPerSecond, workers, null);
  }

  /** The same, with promises to keep. */
  Seen told(long tokensPerSecond, int workers, @Nullable Promised promises) {
    return add(new Front(null, workers, tokensPerSecond, promises), 0);
  }

  private Seen add(Front front, long fromNanos) {
    fronts.add(front);
    at(fromNanos, () -> front.begin(fromNanos));
    return front.seen;
  }

  void run(long untilNanos) {
    for (long second = 1; second * SECOND <= untilNanos; second++) {
      long now = second * SECOND;
      at(now, () -> fronts.forEach(front -> front.sample(now)));
    }
    while (!events.isEmpty() && events.peek().atNanos <= untilNanos) {
      events.remove().what.run();
    }
  }

  private void at(long nanos, Runnable what) {
    events.add(new Event(nanos, numbers++, what));
  }

  static final class Ask extends Request {
    long arrivedNanos;
    long period;
    long startedNanos;
    long cost;

    Ask(Flow flow, Operation operation, long bytes) {
      super(flow, operation, 1, bytes);
    }
  }

  /** A gateway. */
  private final class Front implements Pace {
    final Seen seen = new Seen();
    private final @Nullable CapacityControl control;
    private final int workers;
    private final Pacer pacer;
    private final Target told;
    private final RequestScheduler scheduler;
    private final @Nullable Keeping keeping;
    private final List<Flow> busy = new ArrayList<>();
    private final Flow light = Flow.of(JobId.of("light"), "disk");
    private int inService;
    private double served;
    private double servedFirst;
    private long waitingSinceNanos;
    private long wakeAtNanos = Long.MAX_VALUE;

    Front(
        @Nullable CapacityControl control,
        int workers,
        long toldPerSecond,
        @Nullable Promised promises) {
      this.control = control;
      this.workers = workers;
      this.told = new Target("disk", toldPerSecond, UNIT);
      this.pacer = control == null ? new Pacer(toldPerSecond, 0) : control.pacer();
      this.scheduler = Schedulers.create(policy.info().scheduler(), told);
      for (int i = 0; i < BUSY_JOBS; i++) {
        busy.add(Flow.of(JobId.of("busy-" + i), "disk"));
      }
      this.keeping = promises == null ? null : new Keeping(policy, promises, scheduler);
    }

    void begin(long nowNanos) {
      tellCapacity(nowNanos);
      for (Flow flow : busy) {
        for (int i = 0; i < OUTSTANDING; i++) {
          arrive(busyRequest(flow), nowNanos);
        }
      }
      arrive(lightRequest(), nowNanos);
      pump(nowNanos);
      if (keeping != null) {
        keep(keeping, nowNanos);
      }
    }

    private void tellCapacity(long nowNanos) {
      boolean known = control == null || control.isKnown();
      scheduler.resize(known ? target().tokensPerSecond() : Rate.TOKENS_PER_SECOND_MAX, nowNanos);
    }

    /** Decides, now and from then on. */
    private void keep(Keeping promised, long nowNanos) {
      boolean known = control == null || control.isKnown();
      long heldTo = promised.decide(target(), control != null, known, nowNanos);
      if (control == null) {
        pacer.rate(Math.min(heldTo, told.tokensPerSecond()));
      } else {
        control.hold(heldTo);
      }
      pump(nowNanos);
      long next = nowNanos + Keeping.PERIOD_NANOS;
      at(next, () -> keep(promised, next));
    }

    private Target target() {
      return control == null || !control.isKnown()
          ? told
          : new Target(told.name(), control.tokensPerSecond(), UNIT);
    }

    private Ask busyRequest(Flow flow) {
      StorageModel.Load load = model.load();
      if (random.nextDouble() < load.metadataPart()) {
        return new Ask(flow, Operation.CREATE, 0);
      }
      boolean write = random.nextDouble() < load.writePart();
      return new Ask(flow, write ? Operation.WRITE : Operation.READ, load.bytes());
    }

    private Ask lightRequest() {
      Operation operation = lightOperation(model.load());
      return new Ask(light, operation, operation == Operation.GETATTR ? 0 : LIGHT_BYTES);
    }

    private void arrive(Ask ask, long nowNanos) {
      ask.arrivedNanos = nowNanos;
      if (scheduler.queued() == 0) {
        waitingSinceNanos = nowNanos;
      }
      scheduler.enqueue(ask, nowNanos);
      if (keeping != null) {
        keeping.arrived(ask);
      }
    }

    private void pump(long nowNanos) {
      while (true) {
        if (scheduler.queued() == 0) {
          is(CapacityControl.State.EMPTY, nowNanos);
          return;
        }
        if (control == null ? inService >= workers : !control.hasRoom(inService)) {
          is(CapacityControl.State.FULL, nowNanos);
          return;
        }
        if (!pacer.isReady(nowNanos)) {
          is(CapacityControl.State.PACED, nowNanos);
          wake(pacer.readyAtNanos());
          return;
        }
        Dispatch next = scheduler.next(this, nowNanos);
        if (next instanceof Ask ask) {
          handOut(ask, nowNanos);
        } else {
          is(CapacityControl.State.HELD, nowNanos);
          if (next instanceof Dispatch.NotBefore wait) {
            wake(wait.nanos());
          }
          return;
        }
      }
    }

    private void is(CapacityControl.State state, long nowNanos) {
      if (control != null) {
        control.is(state, nowNanos);
      }
    }

    private void wake(long nanos) {
      if (nanos < wakeAtNanos) {
        wakeAtNanos = nanos;
        at(
            nanos,
            () -> {
              if (wakeAtNanos == nanos) {
                wakeAtNanos = Long.MAX_VALUE;
              }
              pump(nanos);
            });
      }
    }

    private void handOut(Ask ask, long nowNanos) {
      inService++;
      ask.startedNanos = nowNanos;
      if (keeping != null) {
        keeping.dispatched(ask);
      }
      if (control == null) {
        pacer.spend(UNIT.price(1, ask.bytes()), nowNanos);
      } else {
        ask.cost = control.cost(ask.operation(), 1, ask.bytes());
        control.handedOut(ask.cost, nowNanos);
      }
      long end = storage.serve(ask.operation(), ask.bytes(), nowNanos);
      at(end, () -> complete(ask, end));
    }

    private void complete(Ask ask, long nowNanos) {
      inService--;
      long tokens = UNIT.price(1, ask.bytes());
      served += tokens;
      if (ask.flow().equals(busy.getFirst())) {
        servedFirst += tokens;
      }
      if (keeping != null) {
        keeping.completed(ask, nowNanos);
      }
      scheduler.complete(ask, 1, ask.bytes(), nowNanos);
      if (control != null) {
        control.completed(
            ask.operation(),
            1,
            ask.bytes(),
            tokens,
            ask.cost,
            nowNanos - ask.startedNanos,
            nowNanos);
      }
      if (ask.flow().equals(light)) {
        seen.light.add(new long[] {nowNanos, nowNanos - ask.arrivedNanos});
        long next = nowNanos + THINK_NANOS / 2 + random.nextLong(THINK_NANOS);
        at(
            next,
            () -> {
              arrive(lightRequest(), next);
              pump(next);
            });
      } else {
        arrive(busyRequest(ask.flow()), nowNanos);
      }
      pump(nowNanos);
    }

    void sample(long nowNanos) {
      seen.served.add(served);
      served = 0;
      seen.first.add(servedFirst);
      servedFirst = 0;
      boolean known = control != null && control.isKnown();
      seen.believed.add(known && control != null ? (double) control.tokensPerSecond() : 0.0);
      seen.depth.add(control == null ? (double) workers : control.belief(nowNanos).depth());
      tellCapacity(nowNanos);
    }

    @Override
    public boolean isShort() {
      return waitingSinceNanos - pacer.readyAtNanos() <= 0;
    }

    @Override
    public long spareNanos(long nowNanos) {
      return pacer.spareNanos(nowNanos);
    }

    @Override
    public long nanosFor(long tokens) {
      return pacer.nanosFor(control == null ? tokens : control.costOf(tokens));
    }
  }
}
