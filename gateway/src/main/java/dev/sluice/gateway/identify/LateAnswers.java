package dev.sluice.gateway.identify;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Answers to questions about numbers or names that may take minutes: they are asked on other
 * threads, and whoever wants one gets the last that is known, or that there is none yet. What is in
 * use is asked about again every five minutes; until the answer is there, or while nobody can be
 * asked, the old one holds. Only one that nobody wanted for an hour is not given out before it was
 * asked about again.
 *
 * <p>Of too many, those are forgotten that were not wanted since the last time there were too many.
 * Safe for use by many threads.
 */
final class LateAnswers<K, V> {
  static final long FRESH_NANOS = TimeUnit.MINUTES.toNanos(5);
  static final long OLD_NANOS = TimeUnit.HOURS.toNanos(1);
  static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);
  static final int KEYS_MAX = 20_000;

  private static final System.Logger LOG = System.getLogger(LateAnswers.class.getName());

  private final Question<K, V> question;
  private final Executor threads;
  private final Clock clock;
  private final Listener listener;
  private final ConcurrentHashMap<K, Entry<V>> entries = new ConcurrentHashMap<>();
  private volatile long complainedNanos;
  private volatile boolean hasComplained;

  /** What is asked; never null, so that "nobody" is an answer too. */
  @FunctionalInterface
  interface Question<K, V> {
    V ask(K about) throws IOException;
  }

  /** Says how late it is. */
  @FunctionalInterface
  interface Clock {
    long nanos();
  }

  /** Hears of every answer that is new, on the thread that asked. */
  @FunctionalInterface
  interface Listener {
    /**
     * An answer came.
     *
     * @param isFirst whether there was none before; otherwise it is another one than before
     */
    void answered(boolean isFirst);
  }

  /**
   * Nothing is known yet.
   *
   * @param threads where it is asked; may refuse when too much is asked at once
   */
  LateAnswers(Question<K, V> question, Executor threads, Clock clock, Listener listener) {
    this.question = question;
    this.threads = threads;
    this.clock = clock;
    this.listener = listener;
  }

  private record Answer<V>(V value, long sinceNanos) {}

  private static final class Entry<V> {
    /** There while it is being asked about. */
    final AtomicReference<@Nullable CountDownLatch> asking = new AtomicReference<>();

    volatile @Nullable Answer<V> answer;
    volatile boolean wasWanted = true;
    volatile boolean hasFailed;
    volatile long notBeforeNanos;
  }

  /** Has an answer hold until it is asked about for the first time. */
  void suppose(K about, V value) {
    Entry<V> entry = new Entry<>();
    entry.answer = new Answer<>(value, clock.nanos() - FRESH_NANOS);
    entries.put(about, entry);
  }

  /** The answer; null when there is none yet. Never waits. */
  @Nullable V get(K about) {
    return get(entry(about), about);
  }

  /** As {@link #get}, but waits for so long at most where there is none yet. */
  @Nullable V await(K about, long nanosMax) throws InterruptedException {
    Entry<V> entry = entry(about);
    V known = get(entry, about);
    CountDownLatch asking = entry.asking.get();
    if (known != null || asking == null || !asking.await(nanosMax, TimeUnit.NANOSECONDS)) {
      return known;
    }
    return get(entry, about);
  }

  private Entry<V> entry(K about) {
    Entry<V> entry = entries.get(about);
    if (entry == null) {
      entry = entries.computeIfAbsent(about, _ -> new Entry<>());
      if (entries.size() > KEYS_MAX) {
        forgetSome();
      }
    }
    if (!entry.wasWanted) {
      entry.wasWanted = true;
    }
    return entry;
  }

  private @Nullable V get(Entry<V> entry, K about) {
    Answer<V> answer = entry.answer;
    long nowNanos = clock.nanos();
    if (answer == null || nowNanos - answer.sinceNanos >= FRESH_NANOS) {
      ask(entry, about, nowNanos);
      answer = entry.answer;
    }
    boolean holds = answer != null && (nowNanos - answer.sinceNanos < OLD_NANOS || entry.hasFailed);
    return holds && answer != null ? answer.value : null;
  }

  private void ask(Entry<V> entry, K about, long nowNanos) {
    if (entry.notBeforeNanos != 0 && nowNanos - entry.notBeforeNanos < 0) {
      return;
    }
    CountDownLatch done = new CountDownLatch(1);
    if (!entry.asking.compareAndSet(null, done)) {
      return;
    }
    try {
      threads.execute(() -> askNow(entry, about, done));
    } catch (RejectedExecutionException tooMuchIsAsked) {
      end(entry, done);
    }
  }

  private void askNow(Entry<V> entry, K about, CountDownLatch done) {
    try {
      V value = question.ask(about);
      Answer<V> before = entry.answer;
      entry.answer = new Answer<>(value, clock.nanos());
      entry.hasFailed = false;
      entry.notBeforeNanos = 0;
      if (before == null || !before.value.equals(value)) {
        listener.answered(before == null);
      }
    } catch (IOException | RuntimeException e) {
      entry.hasFailed = true;
      entry.notBeforeNanos = clock.nanos() + RETRY_NANOS;
      complain(e);
    } finally {
      end(entry, done);
    }
  }

  private static void end(Entry<?> entry, CountDownLatch done) {
    entry.asking.set(null);
    done.countDown();
  }

  /** Once in a while: a name service that is down is asked often. */
  private void complain(Exception why) {
    long nowNanos = clock.nanos();
    if (!hasComplained || nowNanos - complainedNanos >= FRESH_NANOS) {
      hasComplained = true;
      complainedNanos = nowNanos;
      LOG.log(Level.WARNING, "the name service does not answer: " + why.getMessage());
    }
  }

  private synchronized void forgetSome() {
    if (entries.size() <= KEYS_MAX) {
      return;
    }
    entries
        .values()
        .removeIf(entry -> {
          boolean goes = !entry.wasWanted;
          entry.wasWanted = false;
          return goes;
        });
    // All were wanted: then it does not matter which go.
    int left = 0;
    for (var entry : entries.entrySet()) {
      if (++left > KEYS_MAX / 2) {
        entries.remove(entry.getKey(), entry.getValue());
      }
    }
  }

  /** How many there are about whom something is known, or asked. */
  int size() {
    return entries.size();
  }
}
