package dev.sluice.jobs.slurm;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.schedule.AccountShares;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many shares accounts and their users have by Slurm's accounting, asked for once in a while.
 * While Slurm is away, it goes on saying what it knew, and says how old that is.
 *
 * <p>Safe for use by many threads; one of its own asks, and nobody waits for it.
 */
public final class SlurmShares implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int ANSWER_BYTES_MAX = 1 << 27;

  /** Somebody changes shares by hand, a few times a year. */
  private static final long PERIOD_NANOS = 600_000_000_000L;

  private static final long RETRY_NANOS = 30_000_000_000L;

  private final SlurmCommand command;
  private final SlurmPoll poll;
  private volatile State state = new State(AccountShares.NONE, 1, null, null);

  /**
   * What is known.
   *
   * @param version grows with every change of the shares
   * @param answerNanos when the last answer was asked for; null when there was none
   * @param problem why there was no answer to the last question; null when there was
   */
  private record State(
      AccountShares shares, long version, @Nullable Long answerNanos, @Nullable String problem) {
    State answered(AccountShares told, long askedNanos) {
      return new State(told, told.equals(shares) ? version : version + 1, askedNanos, null);
    }

    State notAnswered(String why) {
      return new State(shares, version, answerNanos, why);
    }
  }

  /** Begins to ask. */
  public SlurmShares(SlurmSettings settings) {
    this(settings, PERIOD_NANOS, RETRY_NANOS);
  }

  SlurmShares(SlurmSettings settings, long periodNanos, long retryNanos) {
    this.command =
        new SlurmCommand(settings.commands(), settings.configuration(), PATIENCE, ANSWER_BYTES_MAX);
    this.poll =
        SlurmPoll.start(
            "slurm-shares",
            new PollSchedule(periodNanos, retryNanos, System.nanoTime()),
            new SlurmPoll.Question() {
              @Override
              public boolean ask(long startNanos) throws InterruptedException {
                return askOnce(startNanos);
              }

              @Override
              public void failed(String problem) {
                state = state.notAnswered(problem);
              }
            });
  }

  private boolean askOnce(long startNanos) throws InterruptedException {
    try {
      byte[] printed = command.run(ShareText.SSHARE, ShareText.ARGUMENTS);
      state =
          state.answered(ShareText.parse(new String(printed, StandardCharsets.UTF_8)), startNanos);
      return true;
    } catch (IOException e) {
      state = state.notAnswered(String.valueOf(e.getMessage()));
      return false;
    }
  }

  /** What is known; none before the first answer. */
  public AccountShares shares() {
    return state.shares;
  }

  /** Grows with every change of the shares. */
  public long version() {
    return state.version;
  }

  /** Asks anew, soon. */
  public void reload() {
    poll.askSoon();
  }

  /** What somebody should look into, in words; null when all is well. */
  public @Nullable String problem() {
    State now = state;
    if (now.problem == null) {
      return null;
    }
    return (now.answerNanos == null
            ? "Slurm has not told its shares yet, and all weigh the same of whom no weight is said:"
                + " "
            : "Slurm's shares are as they were " + age(now.answerNanos) + " ago: ")
        + now.problem;
  }

  /** Whose shares there are, and how old this is. */
  public String words() {
    State now = state;
    return now.answerNanos == null
        ? "Slurm's shares, which it has not told yet"
        : "Slurm's shares of %d accounts, %s old"
            .formatted(now.shares.accounts().size(), age(now.answerNanos));
  }

  private static String age(long sinceNanos) {
    return Quantities.formatDuration(
        (System.nanoTime() - sinceNanos) / 1_000_000_000 * 1_000_000_000);
  }

  @Override
  public void close() {
    poll.close();
  }
}
