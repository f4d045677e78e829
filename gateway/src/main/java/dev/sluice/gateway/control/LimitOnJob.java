package dev.sluice.gateway.control;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.tbf.RuleEffect;
import dev.sluice.core.schedule.tbf.TbfLimit;

/** What a limit does to a job on a target now. */
public record LimitOnJob(String target, RuleEffect effect) {
  public String name() {
    return effect.rule().name();
  }

  /** How much it lets pass, for people. */
  public String rates() {
    TbfLimit second = effect.rule().secondLimit();
    return rate(effect.rule().limit()) + (second == null ? "" : " and " + rate(second));
  }

  static String rate(TbfLimit limit) {
    return Quantities.formatRate((double) limit.rate().tokens(), counted(limit));
  }

  private static Counted counted(TbfLimit limit) {
    return limit.unit().equals(TokenUnit.BYTES) ? Counted.BYTES : Counted.OPERATIONS;
  }

  /** What the job has saved, for people; nothing where the limit has it save nothing. */
  private String saved() {
    TbfLimit limit = effect.rule().limit();
    if (!limit.saves()) {
      return "";
    }
    double tokens = (double) effect.savedTokens();
    return "; it has saved "
        + (counted(limit) == Counted.BYTES
            ? Quantities.formatBytes(tokens)
            : Quantities.formatCount(tokens) + " operations");
  }

  /** For people. */
  public String words() {
    StringBuilder words = new StringBuilder("limit \"").append(name()).append("\" (");
    words.append(rates()).append(") ");
    if (!effect.holdsBack()) {
      return words
          .append("matched it on ")
          .append(target)
          .append(", and holds nothing back now")
          .append(saved())
          .toString();
    }
    words.append("holds ").append(effect.waiting()).append(" of its requests back on ");
    words.append(target);
    if (effect.nanosLeft() != Long.MAX_VALUE) {
      words
          .append(", the first for ")
          .append(Quantities.formatDuration(effect.nanosLeft()))
          .append(" more");
    }
    return words.append(saved()).toString();
  }
}
