package dev.sluice.lustre.standin;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The filter of one partition and queue: rules, a bucket and a line of requests for each job, a
 * heap by deadline, and one timer. Only the job at the top of the heap is ever looked at.
 *
 * @param <R> a request
 */
final class TbfHead<R> {
  static final long DEFAULT_RATE = 10_000;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long DEPTH = 3;

  /** By how much the timer is late unless told otherwise. */
  static final long LATE_NANOS = 50_000;

  private final List<TbfRule> rules = new ArrayList<>();
  private final Map<String, TbfRule> named = new HashMap<>();
  private final TbfRule byDefault = new TbfRule("default", "*", DEFAULT_RATE);
  private final Map<String, Bucket> buckets = new HashMap<>();
  private final List<Bucket> heap = new ArrayList<>();
  private long sequence;
  private boolean throttling;
  private long timerNanos;
  private int queued;
  private long lateNanos = LATE_NANOS;

  /** A job's tokens and requests. */
  private final class Bucket {
    final String job;
    final ArrayDeque<R> line = new ArrayDeque<>();
    TbfRule rule = byDefault;
    long sequenceSeen;
    long generation;
    long rate;
    long tokenNanos;
    long tokens;
    long checkedNanos;
    long deadlineNanos;
    int place = -1;

    Bucket(String job) {
      this.job = job;
    }

    /** Every change of rule or rate fills the bucket. The deadline stays. */
    void fill(TbfRule other, long nowNanos) {
      rule.classes--;
      other.classes++;
      rule = other;
      generation = other.generation;
      sequenceSeen = sequence;
      rate = other.rate;
      tokenNanos = NANOS_PER_SECOND / rate;
      tokens = DEPTH;
      checkedNanos = nowNanos;
      if (place >= 0) {
        relocate(this);
      }
    }

    boolean isBefore(Bucket other) {
      return deadlineNanos != other.deadlineNanos
          ? deadlineNanos < other.deadlineNanos
          : checkedNanos < other.checkedNanos;
    }
  }

  TbfHead() {
    rules.add(byDefault);
    named.put(byDefault.name, byDefault);
  }

  void lateNanos(long nanos) {
    lateNanos = nanos;
  }

  List<TbfRule> rules() {
    return rules;
  }

  @Nullable TbfRule rule(String name) {
    return named.get(name);
  }

  /** The newest is tried first, unless it is put in front of another. */
  void start(TbfRule rule, @Nullable TbfRule before) {
    rules.add(before == null ? 0 : rules.indexOf(before), rule);
    named.put(rule.name, rule);
    sequence++;
  }

  void stop(TbfRule rule) {
    rule.stopped = true;
    rules.remove(rule);
    named.remove(rule.name);
  }

  /** Even to the same rate, this counts as a change. */
  void change(TbfRule rule, long rate) {
    rule.rate = rate;
    rule.generation++;
  }

  void enqueue(String job, R request, long nowNanos) {
    Bucket bucket = buckets.get(job);
    if (bucket == null) {
      bucket = new Bucket(job);
      buckets.put(job, bucket);
      byDefault.classes++;
      bucket.fill(match(job), nowNanos);
    } else {
      notice(bucket, nowNanos);
    }
    bucket.line.add(request);
    queued++;
    if (bucket.place < 0) {
      bucket.deadlineNanos = bucket.checkedNanos + bucket.tokenNanos;
      bucket.place = heap.size();
      heap.add(bucket);
      siftUp(bucket);
      if (throttling && bucket.deadlineNanos < timerNanos) {
        timerNanos = bucket.deadlineNanos;
      }
    }
  }

  /** What became of the rules is noticed only when a new request comes. */
  private void notice(Bucket bucket, long nowNanos) {
    if (bucket.rule.stopped || bucket.sequenceSeen != sequence) {
      TbfRule best = match(bucket.job);
      if (best != bucket.rule) {
        bucket.fill(best, nowNanos);
        return;
      }
    }
    if (bucket.generation != bucket.rule.generation) {
      bucket.fill(bucket.rule, nowNanos);
    }
  }

  TbfRule match(String job) {
    for (TbfRule rule : rules) {
      if (rule != byDefault && rule.matches(job)) {
        return rule;
      }
    }
    return byDefault;
  }

  /** The next request; null where none may go, and then {@link #wakeNanos} says when to ask. */
  @Nullable R dequeue(long nowNanos) {
    if (throttling) {
      if (nowNanos < timerNanos + lateNanos) {
        return null;
      }
      throttling = false;
    }
    if (heap.isEmpty()) {
      return null;
    }
    Bucket root = heap.getFirst();
    // More than fills the bucket makes no difference.
    long passed = Math.min(nowNanos - root.checkedNanos, (DEPTH + 1) * NANOS_PER_SECOND);
    long tokens = Math.min(DEPTH, passed * root.rate / NANOS_PER_SECOND + root.tokens);
    if (tokens == 0) {
      throttling = true;
      timerNanos = root.checkedNanos + root.tokenNanos;
      return null;
    }
    root.tokens = tokens - 1;
    root.checkedNanos = nowNanos;
    R request = root.line.remove();
    queued--;
    if (root.line.isEmpty()) {
      removeRoot();
    } else {
      root.deadlineNanos = nowNanos + root.tokenNanos;
      relocate(root);
    }
    return request;
  }

  /** When it is worth asking again; the largest number where only a new request helps. */
  long wakeNanos() {
    return throttling ? timerNanos + lateNanos : Long.MAX_VALUE;
  }

  /** Throws away what waits. */
  void clear() {
    for (Bucket bucket : heap) {
      bucket.line.clear();
      bucket.place = -1;
    }
    heap.clear();
    queued = 0;
    throttling = false;
  }

  int queued() {
    return queued;
  }

  private void removeRoot() {
    Bucket root = heap.getFirst();
    Bucket last = heap.removeLast();
    root.place = -1;
    if (last != root) {
      last.place = 0;
      heap.set(0, last);
      siftDown(last);
    }
  }

  private void relocate(Bucket bucket) {
    int before = bucket.place;
    siftUp(bucket);
    if (bucket.place == before) {
      siftDown(bucket);
    }
  }

  private void siftUp(Bucket bucket) {
    while (bucket.place > 0) {
      Bucket parent = heap.get((bucket.place - 1) / 2);
      if (!bucket.isBefore(parent)) {
        return;
      }
      swap(bucket, parent);
    }
  }

  /** Of two equal children the right one goes first. */
  private void siftDown(Bucket bucket) {
    while (2 * bucket.place + 1 < heap.size()) {
      Bucket child = heap.get(2 * bucket.place + 1);
      if (2 * bucket.place + 2 < heap.size()) {
        Bucket right = heap.get(2 * bucket.place + 2);
        child = child.isBefore(right) ? child : right;
      }
      if (!child.isBefore(bucket)) {
        return;
      }
      swap(child, bucket);
    }
  }

  private void swap(Bucket one, Bucket other) {
    int place = one.place;
    one.place = other.place;
    other.place = place;
    heap.set(one.place, one);
    heap.set(other.place, other);
  }
}
