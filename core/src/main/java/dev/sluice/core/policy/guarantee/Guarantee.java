package dev.sluice.core.policy.guarantee;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.JobOwner;
import java.util.Locale;

/**
 * A minimum that all jobs of somebody have together, on each target that they use.
 *
 * @param who by what it is told whose a job is
 * @param name of the job, user, group or account
 * @param perSecond how much
 * @param counted bytes or operations
 */
public record Guarantee(Who who, String name, long perSecond, Quantities.Counted counted) {
  /** Requests of this size have the bytes that were promised; smaller ones cost more. */
  private static final long REQUEST_BYTES = 256 << 10;

  /** What a reserve may lag behind its rate, in requests: two of its own and one of anybody's. */
  private static final long LAG_REQUESTS = 3;

  /**
   * A target that does nine tenths of what it can do in a second may stand still for the last tenth
   * of it: who is served evenly until then has all that was promised with this much more.
   */
  private static final double UNSTEADY = 1 / 0.9 - 1;

  /** So much more may be reserved than was promised, so that a low rate stays low. */
  private static final double MARGIN_MAX = 0.25;

  /** By what it is told whose a job is. */
  public enum Who {
    JOB,
    USER,
    GROUP,
    ACCOUNT;

    /** As people write it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** What a job goes by in this. */
    String nameOf(JobId job, JobOwner owner) {
      return switch (this) {
        case JOB -> job.toString();
        case USER -> owner.user();
        case GROUP -> owner.group();
        case ACCOUNT -> owner.account();
      };
    }
  }

  public Guarantee {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a guarantee is somebody's");
    }
    if (perSecond < 1 || perSecond > Rate.TOKENS_PER_SECOND_MAX) {
      throw new IllegalArgumentException(
          perSecond + " a second: expected 1 to " + Rate.TOKENS_PER_SECOND_MAX);
    }
    if (counted == Quantities.Counted.TOKENS) {
      throw new IllegalArgumentException("expected a rate such as 20 MB/s or 500 ops/s");
    }
  }

  /** Whether a job is one that it is for. */
  public boolean covers(JobId job, JobOwner owner) {
    return name.equals(who.nameOf(job, owner));
  }

  /**
   * What it comes to on a target, in tokens a second; 0 where the target counts other things. Bytes
   * are those of requests of {@link #REQUEST_BYTES}, whose operations cost something, too.
   */
  public long tokensPerSecond(Target target) {
    TokenUnit unit = target.unit();
    double price =
        counted == Quantities.Counted.BYTES
            ? unit.tokensPerByte() * (1 + (double) unit.tokensPerOperation() / REQUEST_BYTES)
            : (double) unit.tokensPerOperation();
    return Math.round(Math.min(perSecond * price, (double) Rate.TOKENS_PER_SECOND_MAX));
  }

  /**
   * What is reserved beyond the rate so that every second has all of it: as much as a reserve may
   * lag behind in a second, and a ninth for the target's own unsteadiness; no more than a quarter.
   */
  double marginTokens(Target target, double lagTokens) {
    long tokens = tokensPerSecond(target);
    return Math.min(lagTokens + UNSTEADY * tokens, MARGIN_MAX * tokens);
  }

  /** What it takes of a target where requests have the usual size. */
  double admittedTokens(Target target) {
    return tokensPerSecond(target) + marginTokens(target, usualLagTokens(target));
  }

  /**
   * The largest rate of three digits, in what it counts, that would take no more than this of a
   * target.
   */
  double fitting(Target target, double tokens) {
    double most =
        Math.max((tokens - usualLagTokens(target)) / (1 + UNSTEADY), tokens / (1 + MARGIN_MAX));
    double rate = Math.max(0, Math.floor(most * perSecond / tokensPerSecond(target)));
    double lastDigit = Math.pow(10, Math.max(0, Math.floor(Math.log10(Math.max(1, rate))) - 2));
    return Math.floor(rate / lastDigit) * lastDigit;
  }

  private double usualLagTokens(Target target) {
    long bytes = counted == Quantities.Counted.BYTES ? REQUEST_BYTES : 0;
    return (double) LAG_REQUESTS * target.unit().price(1, bytes);
  }

  /** For people: {@code alice's guarantee of 50 MB/s}. */
  public String possessive() {
    return name + "'s guarantee of " + Quantities.formatRate((double) perSecond, counted);
  }

  /** For people: {@code user alice's 50 MB/s}. */
  public String words() {
    return who.text() + " " + name + "'s " + Quantities.formatRate((double) perSecond, counted);
  }
}
