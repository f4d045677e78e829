package dev.sluice.ledger.states;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Memory;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.StateText;
import dev.sluice.core.policy.UnfitStateException;
import dev.sluice.core.policy.UnreadableStateException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what policies remember in a {@link StateStore}, on a thread of its own: a decision waits
 * for no disk. What was kept is written about once a second, and when this is closed; who is killed
 * has forgotten what it decided since.
 *
 * <p>A policy goes on from what was kept under its name, if it can be read, is not too old, and
 * makes sense with its settings. Otherwise it begins anew, and the log says why. Nothing that is
 * wrong with the store keeps a policy from deciding.
 *
 * <p>Safe for use by many threads.
 */
public final class StateKeeper implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(StateKeeper.class.getName());

  /** How long what was decided may be in no store. */
  private static final long PACE_NANOS = 1_000_000_000L;

  /** Writing may take this part of the time, or it is done less often. */
  private static final int PART_OF_TIME = 20;

  private static final long PATIENCE_MILLIS = 10_000;

  private final StateStore store;
  private final LongSupplier epochs;
  private final InstantSource clock;
  private final Map<StateKey, Slot> slots = new HashMap<>();
  private final Thread writer;
  private @Nullable String problem;
  private boolean closed;

  /** What is kept under one key. */
  private static final class Slot {
    /** Whoever decides now; what others still bring comes too late. */
    private @Nullable KeptMemory<?> holder;

    private @Nullable Decided<?> last;
    private boolean isWritten = true;
  }

  /** A state that is to be kept. */
  private record Decided<S>(
      StateCodec<S> codec, S state, Cluster cluster, long epoch, long atNanos) {
    String text() {
      return StateText.write(codec, state, cluster, atNanos);
    }
  }

  /**
   * Keeps states in a store.
   *
   * @param epochs in which we may write now; negative while we may not
   */
  public StateKeeper(StateStore store, LongSupplier epochs, InstantSource clock) {
    this.store = store;
    this.epochs = epochs;
    this.clock = clock;
    this.writer = Thread.ofPlatform().name("policy-memory").daemon().start(this::run);
  }

  /**
   * The memory of a policy, which is read when it is first asked. From now on whatever had the same
   * key before keeps nothing more.
   */
  public synchronized <S> Memory<S> memory(
      StateKey key, Policy<S> policy, StateCodec<S> codec, Cluster cluster) {
    KeptMemory<S> memory = new KeptMemory<>(key, policy, codec, cluster);
    slots.computeIfAbsent(key, _ -> new Slot()).holder = memory;
    return memory;
  }

  /** Why what policies remember is not kept just now; null where it is. */
  public synchronized @Nullable String problem() {
    return problem;
  }

  private long nowNanos() {
    return TimeUnit.MILLISECONDS.toNanos(clock.millis());
  }

  /** Not thread-safe: decisions of a policy come one after another. */
  private final class KeptMemory<S> implements Memory<S> {
    private final StateKey key;
    private final Policy<S> policy;
    private final StateCodec<S> codec;
    private Cluster cluster;
    private @Nullable S state;

    /** In which epoch the state was read: in another one, somebody else may have decided. */
    private long epoch = -1;

    KeptMemory(StateKey key, Policy<S> policy, StateCodec<S> codec, Cluster cluster) {
      this.key = key;
      this.policy = policy;
      this.codec = codec;
      this.cluster = cluster;
    }

    @Override
    public S current(Cluster about) {
      cluster = about;
      long now = epochs.getAsLong();
      S known = state;
      if (known == null || (now >= 0 && now != epoch)) {
        known = now < 0 ? policy.initialState(cluster) : restored(now);
        state = known;
        epoch = now;
      }
      return known;
    }

    @Override
    public void keep(S before, S next) {
      state = next;
      offer(key, this, new Decided<>(codec, next, cluster, epoch, nowNanos()));
    }

    private S restored(long now) {
      try {
        String text = textOf(key, now);
        if (text != null) {
          StateText.Written<S> read = StateText.read(codec, text);
          long ageNanos = nowNanos() - read.writtenNanos();
          if (Math.abs(ageNanos) <= codec.keptNanos()) {
            LOG.log(
                System.Logger.Level.INFO,
                key
                    + " goes on from what it knew "
                    + Quantities.formatDuration(age(ageNanos))
                    + " ago");
            return read.state();
          }
          beginAnew(
              System.Logger.Level.INFO,
              "what it knew is of "
                  + Quantities.formatDuration(age(Math.abs(ageNanos)))
                  + (ageNanos < 0 ? " to come" : " ago")
                  + ", and "
                  + Quantities.formatDuration(codec.keptNanos())
                  + " are the most");
        }
      } catch (UnfitStateException e) {
        beginAnew(System.Logger.Level.INFO, String.valueOf(e.getMessage()));
      } catch (UnreadableStateException e) {
        beginAnew(
            System.Logger.Level.WARNING,
            "what was kept cannot be read: " + e.getMessage() + "; " + setAside());
      } catch (IOException e) {
        beginAnew(System.Logger.Level.WARNING, "what was kept cannot be had: " + e.getMessage());
      }
      return policy.initialState(cluster);
    }

    /** For people, without what is less than a millisecond. */
    private static long age(long nanos) {
      return Math.max(0, nanos / 1_000_000 * 1_000_000);
    }

    private String setAside() {
      try {
        return "it is now " + store.setAside(key);
      } catch (IOException e) {
        return "nor can it be set aside: " + e.getMessage();
      }
    }

    private void beginAnew(System.Logger.Level level, String why) {
      LOG.log(level, key + " begins anew: " + why);
    }
  }

  /** What was decided last under this key: by ourselves, unless somebody else led meanwhile. */
  private @Nullable String textOf(StateKey key, long epoch) throws IOException {
    Decided<?> last;
    synchronized (this) {
      Slot slot = slots.get(key);
      last = slot == null ? null : slot.last;
    }
    return last != null && last.epoch == epoch ? last.text() : store.load(key, epoch);
  }

  private synchronized void offer(StateKey key, KeptMemory<?> from, Decided<?> decided) {
    Slot slot = slots.get(key);
    if (slot != null && isHeldBy(slot, from) && decided.epoch >= 0) {
      slot.last = decided;
      slot.isWritten = false;
      notifyAll();
    }
  }

  @SuppressWarnings("ReferenceEquality") // This very one: there may be another with its key.
  private static boolean isHeldBy(Slot slot, KeptMemory<?> memory) {
    return slot.holder == memory;
  }

  private void run() {
    try {
      while (awaitWork()) {
        long beganNanos = System.nanoTime();
        writeAll();
        long tookNanos = System.nanoTime() - beganNanos;
        pause(Math.max(PACE_NANOS, PART_OF_TIME * tookNanos));
      }
    } catch (InterruptedException e) {
      // It ends, and close() writes the rest.
    }
  }

  private synchronized boolean awaitWork() throws InterruptedException {
    while (!closed && slots.values().stream().allMatch(slot -> slot.isWritten)) {
      wait();
    }
    return !closed;
  }

  private synchronized void pause(long nanos) throws InterruptedException {
    long untilNanos = System.nanoTime() + nanos;
    long leftNanos = nanos;
    while (!closed && leftNanos > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
      leftNanos = untilNanos - System.nanoTime();
    }
  }

  private void writeAll() {
    Map<StateKey, Decided<?>> due = new HashMap<>();
    synchronized (this) {
      slots.forEach((key, slot) -> {
        if (!slot.isWritten && slot.last != null) {
          due.put(key, slot.last);
        }
      });
    }
    List<String> failures = new ArrayList<>();
    due.forEach((key, decided) -> {
      try {
        if (!store.save(key, decided.text(), decided.epoch)) {
          LOG.log(
              System.Logger.Level.INFO,
              key + ": what was decided last is not kept: somebody else decides now");
        }
        written(key, decided);
      } catch (IOException | RuntimeException e) {
        failures.add(key + ": " + e.getMessage());
      }
    });
    tell(failures);
  }

  @SuppressWarnings("ReferenceEquality") // This very one: there may be a later one meanwhile.
  private synchronized void written(StateKey key, Decided<?> decided) {
    Slot slot = slots.get(key);
    if (slot != null && slot.last == decided) {
      slot.isWritten = true;
    }
  }

  private synchronized void tell(List<String> failures) {
    String now =
        failures.isEmpty()
            ? null
            : "what policies remember is not kept: " + String.join("; ", failures);
    if (now != null && problem == null) {
      LOG.log(System.Logger.Level.WARNING, now);
    }
    problem = now;
  }

  /** Writes what is not written yet, and ends. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      notifyAll();
    }
    try {
      writer.join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    writeAll();
    store.close();
  }
}
