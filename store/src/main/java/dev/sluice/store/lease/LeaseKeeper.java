package dev.sluice.store.lease;

import dev.sluice.ledger.LedgerLocation;
import dev.sluice.store.StoreConnection;
import dev.sluice.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a claim to the lease, by a thread of its own, and says whether this controller leads. To be
 * asked by any thread at any time, right before every act of a leader: what it answers comes from
 * this process's own clock, so that a controller that was paused or cut off from the database knows
 * that its time is over.
 */
public final class LeaseKeeper implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LeaseKeeper.class.getName());

  /** A lease is over soon: better a new connection than a long wait for an old one. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** How long to try to give the lease back at the end; after that it runs out by itself. */
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final LeaseRows table;
  private final LongConsumer whenGranted;
  private final LeaseClaim claim;
  private final LeaderMemory memory;
  private final Thread thread;
  private final long mark = newMark();

  /** The highest epoch that others were told of and the claim was not. */
  private final AtomicLong outdone = new AtomicLong();

  /** The highest epoch that is kept. */
  private long keptEpoch;

  /** The epoch of the row that was lower than one known before; -1 where there was none. */
  private long wentBackTo = -1;

  private volatile boolean closing;
  private volatile LeaseClaim.@Nullable Grant grant;
  private volatile @Nullable Long vacantSinceNanos;
  private volatile @Nullable String trouble;
  private volatile @Nullable String notice;

  /**
   * Claims the lease from now on.
   *
   * @param holder a name that nobody else has, not even an earlier life of the same controller
   * @param memory keeps the highest epoch that this controller has led in or seen, in case that the
   *     database forgets it
   */
  public LeaseKeeper(LedgerLocation where, String holder, LeaseTimes times, LeaderMemory memory) {
    this(
        new LeaseTable(new StoreConnection(where, () -> where.connect(PATIENCE))),
        holder,
        times,
        memory,
        _ -> {});
  }

  private LeaseKeeper(
      LeaseRows table,
      String holder,
      LeaseTimes times,
      LeaderMemory memory,
      LongConsumer whenGranted) {
    this.table = table;
    this.whenGranted = whenGranted;
    this.memory = memory;
    this.keptEpoch = kept(memory);
    this.claim = new LeaseClaim(holder, times, keptEpoch, System.nanoTime());
    this.thread = Thread.ofPlatform().name("lease").daemon().start(this::keep);
  }

  /** A mark for a controller that starts: no other has it, as far as chance goes. */
  public static long newMark() {
    long drawn = new SecureRandom().nextLong();
    return drawn == 0 ? 1 : drawn;
  }

  private static long kept(LeaderMemory memory) {
    try {
      return memory.load().epoch();
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "which epochs there were is known from the database alone: {0}",
          e.getMessage());
      return 0;
    }
  }

  /**
   * Claims a lease that is kept in a directory, which several machines see.
   *
   * @param holder a name that nobody else has, not even an earlier life of the same program
   * @param isDead whether a holder is known for certain to act no more; then nobody waits for the
   *     end of its lease
   * @param whenGranted is told until when the lease is held, by {@link System#nanoTime}, before
   *     anybody else is: whoever must not act any longer can see to it here
   */
  public static LeaseKeeper inDirectory(
      Path directory,
      String holder,
      LeaseTimes times,
      Predicate<String> isDead,
      LongConsumer whenGranted) {
    return new LeaseKeeper(
        new LeaseDirectory(directory, isDead), holder, times, LeaderMemory.NONE, whenGranted);
  }

  /**
   * Whose a lease in a directory is, as somebody sees it who does not claim it.
   *
   * @param holder empty where nobody has it
   */
  public record Held(long epoch, String holder) {}

  /** Whose the lease in a directory is; it may have run out since. */
  public static Held heldIn(Path directory) {
    try (LeaseDirectory rows = new LeaseDirectory(directory, _ -> false)) {
      LeaseRow row = rows.read();
      return new Held(row.epoch(), row.holder());
    }
  }

  /**
   * As whom this controller leads at this instant; null when it does not lead.
   *
   * @param nowNanos by {@link System#nanoTime}
   */
  public @Nullable Leader leading(long nowNanos) {
    LeaseClaim.Grant granted = grant;
    return granted != null && !closing && granted.holds(nowNanos)
        ? new Leader(granted.epoch(), mark)
        : null;
  }

  /**
   * When, by {@link System#nanoTime}, nobody gave a sign of life any more, of a lease that was
   * taken here; null where none was.
   */
  public @Nullable Long vacantSinceNanos() {
    return vacantSinceNanos;
  }

  /** Leads in a higher epoch than this, soon, if it leads. From any thread. */
  public void outdo(long epoch) {
    outdone.accumulateAndGet(epoch, Math::max);
    LockSupport.unpark(thread);
  }

  /** That the database has gone back, in words; null where it has not in our life. */
  public @Nullable String notice() {
    return notice;
  }

  /** Why the lease cannot be looked after just now; null when all is well. */
  public @Nullable String trouble() {
    return trouble;
  }

  private void keep() {
    long farewellNanos = Long.MAX_VALUE;
    long lastOutdone = 0;
    while (true) {
      if (closing && farewellNanos == Long.MAX_VALUE) {
        claim.giveUp();
        farewellNanos = System.nanoTime() + FAREWELL.toNanos();
      }
      if (outdone.get() > lastOutdone) {
        lastOutdone = outdone.get();
        claim.outdo(lastOutdone, System.nanoTime());
      }
      LeaseClaim.Move move = claim.next(System.nanoTime());
      boolean late = farewellNanos != Long.MAX_VALUE && System.nanoTime() - farewellNanos >= 0;
      if (late || move instanceof LeaseClaim.Move.Over) {
        table.close();
        return;
      }
      if (move instanceof LeaseClaim.Move.Rest(long untilNanos)) {
        LockSupport.parkNanos(this, untilNanos - System.nanoTime());
      } else {
        carryOut(move);
      }
      keepHighest();
      publish(claim.grant());
    }
  }

  private void publish(LeaseClaim.@Nullable Grant granted) {
    if (granted != null && !granted.equals(grant)) {
      whenGranted.accept(granted.untilNanos());
    }
    vacantSinceNanos = claim.vacantSinceNanos();
    grant = granted;
  }

  /** Before anybody may lead in it: what is kept outlives both the database's memory and us. */
  private void keepHighest() {
    long highest = claim.highestEpoch();
    if (highest <= keptEpoch) {
      return;
    }
    keptEpoch = highest;
    try {
      memory.save(new Leader(highest, 0));
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "that there was leader {0} is known from the database alone: {1}",
          highest,
          e.getMessage());
    }
  }

  private void look() {
    LeaseRow row = table.read();
    long highest = claim.highestEpoch();
    if (row.epoch() < highest && row.epoch() != wentBackTo) {
      wentBackTo = row.epoch();
      notice =
          "the database has gone back: its lease is of leader "
              + row.epoch()
              + ", and there was leader "
              + highest
              + "; documents and coupons of that time may be lost";
      LOG.log(System.Logger.Level.WARNING, notice);
    }
    claim.seen(row, System.nanoTime());
  }

  private void carryOut(LeaseClaim.Move move) {
    try {
      if (move instanceof LeaseClaim.Move.Replace replace) {
        long beganNanos = System.nanoTime();
        boolean replaced = table.replace(replace.expected(), replace.by());
        claim.wrote(replace, replaced, beganNanos, System.nanoTime());
      } else {
        look();
      }
      trouble = null;
    } catch (StoreException e) {
      claim.failed(System.nanoTime());
      noteTrouble(String.valueOf(e.getMessage()));
    }
  }

  private void noteTrouble(String what) {
    if (trouble == null) {
      LOG.log(System.Logger.Level.WARNING, "the lease cannot be looked after: {0}", what);
    }
    trouble = what;
  }

  /** Leads no more, and gives the lease back, so that nobody need wait until it runs out. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    try {
      thread.join(FAREWELL.plus(PATIENCE).plus(PATIENCE));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
