package dev.sluice.papers.padll;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.fifo.FifoScheduler;
import dev.sluice.core.schedule.limit.LimitedScheduler;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * A job's requests, one by one, through a limit that an administrator changes as it runs: the
 * limits in front of any scheduler, as a data plane has them.
 */
final class LimitedReplay {
  private static final long SECOND_NANOS = Rate.NANOS_PER_SECOND;
  private static final Flow FLOW = Flow.of(JobId.of("job"), "file-system");

  /**
   * What is limited, and to how much.
   *
   * @param match which requests, as rules are written
   * @param perSecond the limits, one after another
   * @param holdsSeconds how long each of them holds; the last one until the end
   */
  record Limits(String match, TokenUnit unit, List<Long> perSecond, int holdsSeconds) {
    long at(long second) {
      return perSecond.get((int) Math.min(perSecond.size() - 1, second / holdsSeconds));
    }

    /** What may pass between two instants. */
    double between(long fromNanos, long toNanos) {
      double sum = 0;
      long at = fromNanos;
      while (at < toNanos) {
        long second = at / SECOND_NANOS;
        long until = Math.min(toNanos, (second + 1) * SECOND_NANOS);
        sum += (double) at(second) * (until - at) / SECOND_NANOS;
        at = until;
      }
      return sum;
    }
  }

  /** What arrives. */
  interface Load {
    int seconds();

    /** How many requests arrive in a second, evenly. */
    int requests(int second);

    /** What the request with this number asks for. */
    Operation operation(long number);

    /** What each request moves. */
    long bytes();
  }

  private final Load load;
  private final Limits limits;
  private final LimitedScheduler scheduler;
  private final long[] arrived;
  private long[] served;
  private int seconds;

  /** When each request was served that was in the last second. */
  private final Deque<Long> lastSecond = new ArrayDeque<>();

  private double requestsBeyondMost = Double.NEGATIVE_INFINITY;
  private double partMost;
  private long requests;
  private long nowNanos;

  private LimitedReplay(Load load, Limits limits) {
    this.load = load;
    this.limits = limits;
    Target target = new Target(FLOW.target(), Rate.TOKENS_PER_SECOND_MAX, limits.unit());
    scheduler = new LimitedScheduler(new FifoScheduler(), target);
    arrived = new long[load.seconds()];
    served = new long[load.seconds()];
  }

  static LimitedReplay of(Load load, Limits limits) {
    LimitedReplay replay = new LimitedReplay(load, limits);
    while (replay.seconds < load.seconds() || replay.scheduler.queued() > 0) {
      replay.play(replay.seconds++);
    }
    replay.scheduler.checkInvariants(replay.nowNanos);
    return replay;
  }

  private void play(int second) {
    long begin = second * SECOND_NANOS;
    nowNanos = begin;
    if (second % limits.holdsSeconds() == 0) {
      limit(limits.at(second));
    }
    int arriving = second < load.seconds() ? load.requests(second) : 0;
    for (int i = 0; i < arriving; i++) {
      long arrivesAt = begin + i * SECOND_NANOS / arriving;
      serveUntil(arrivesAt);
      nowNanos = arrivesAt;
      Request request = new Request(FLOW, load.operation(requests++), 1, load.bytes());
      arrived[second] += price();
      scheduler.enqueue(request, nowNanos);
    }
    serveUntil(begin + SECOND_NANOS - 1);
  }

  /** A bucket as shallow as can be: nothing is saved up while a job does nothing. */
  private void limit(long perSecond) {
    TbfLimit limit = new TbfLimit(limits.unit(), Rate.perSecond(perSecond), price());
    scheduler.limit(
        List.of(new TbfRule("limit", FlowMatch.parse(limits.match()), limit, null)), nowNanos);
  }

  /** What waits leaves at the very instant at which it may. */
  private void serveUntil(long untilNanos) {
    while (true) {
      switch (scheduler.next(nowNanos)) {
        case Request _ -> serve();
        case Dispatch.NotBefore(long nanos) -> {
          if (nanos > untilNanos) {
            return;
          }
          nowNanos = nanos;
        }
        case Dispatch.Empty _ -> {
          return;
        }
      }
    }
  }

  private void serve() {
    int second = (int) (nowNanos / SECOND_NANOS);
    if (second >= served.length) {
      served = Arrays.copyOf(served, 2 * second);
    }
    served[second] += price();
    lastSecond.addLast(nowNanos);
    while (lastSecond.getFirst() <= nowNanos - SECOND_NANOS) {
      lastSecond.removeFirst();
    }
    if (nowNanos >= SECOND_NANOS) {
      double allowed = limits.between(nowNanos - SECOND_NANOS, nowNanos);
      double passed = (double) lastSecond.size() * price();
      requestsBeyondMost = Math.max(requestsBeyondMost, (passed - allowed) / price());
      partMost = Math.max(partMost, passed / allowed);
    }
  }

  /** What each request costs. */
  private long price() {
    return limits.unit().price(1, load.bytes());
  }

  /** How long it took until all was served. */
  int seconds() {
    return seconds;
  }

  /** What arrived in a second: what is served where nothing is limited. */
  long arrived(int second) {
    return second < arrived.length ? arrived[second] : 0;
  }

  long served(int second) {
    return second < served.length ? served[second] : 0;
  }

  /** By how many requests any window of a second passed what was allowed in it, at most. */
  double requestsBeyondMost() {
    return requestsBeyondMost;
  }

  /** What any window of a second passed, as a part of what was allowed in it, at most. */
  double partMost() {
    return partMost;
  }

  /** In how many seconds more was served than arrived. */
  int secondsAboveArrivals() {
    int count = 0;
    for (int second = 0; second < seconds; second++) {
      count += served(second) > arrived(second) + price() ? 1 : 0;
    }
    return count;
  }

  /** In how many seconds as much was served as arrived, but for a request at either end. */
  int secondsAsArrived() {
    int count = 0;
    for (int second = 0; second < arrived.length; second++) {
      count += Math.abs(served(second) - arrived(second)) <= price() ? 1 : 0;
    }
    return count;
  }
}
