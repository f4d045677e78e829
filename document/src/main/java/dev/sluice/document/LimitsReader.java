package dev.sluice.document;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.core.schedule.tbf.TbfScheduler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the key {@code limits} of gateways, scenarios and files for decide:
 *
 * <pre>
 * limits:
 *   - {name: backup, match: user=backup, rate: 100 MB/s, burst: 60 s}
 * </pre>
 */
public final class LimitsReader {
  /** More gateways than anybody has. */
  private static final long GATEWAYS_MAX = 1_000;

  private static final long BURST_NANOS_MAX = 24 * 3_600 * 1_000_000_000L;

  private LimitsReader() {}

  /** The limits that are written, first match first; none where nothing is. */
  public static List<TbfRule> read(@Nullable DocumentNode node) {
    List<TbfRule> limits = new ArrayList<>();
    if (node == null) {
      return limits;
    }
    Set<String> names = new HashSet<>();
    for (DocumentNode item : node.list()) {
      DocumentMap map = item.map("name", "match", "rate", "second-rate", "burst", "gateways");
      DocumentNode name = map.required("name");
      if (name.text().isEmpty() || !names.add(name.text())) {
        throw name.error("expected a name of its own");
      }
      limits.add(limit(name.text(), map));
    }
    if (limits.size() > TbfScheduler.RULES_MAX) {
      throw node.error("expected at most " + TbfScheduler.RULES_MAX + " limits");
    }
    return limits;
  }

  private static TbfRule limit(String name, DocumentMap map) {
    FlowMatch match = map.required("match").parsed(FlowMatch::parse);
    DocumentNode sharing = map.optional("gateways");
    long gateways = sharing == null ? 1 : sharing.whole(1, GATEWAYS_MAX);
    TbfLimit first = part(map.required("rate").parsed(LimitsReader::limit), gateways);
    DocumentNode secondNode = map.optional("second-rate");
    TbfLimit second =
        secondNode == null ? null : part(secondNode.parsed(LimitsReader::limit), gateways);
    if (secondNode != null && second != null && second.unit().equals(first.unit())) {
      throw secondNode.error("expected a rate of the other kind: one of bytes, one of operations");
    }
    DocumentNode burst = map.optional("burst");
    return burst == null
        ? new TbfRule(name, match, first, second)
        : new TbfRule(
            name, match, saving(first, burst), second == null ? null : saving(second, burst));
  }

  /**
   * This gateway's part of a limit that holds for so many together: whichever of them a job comes
   * through, all of them let no more pass than the limit.
   */
  private static TbfLimit part(TbfLimit whole, long gateways) {
    Rate rate = new Rate(whole.rate().tokens(), whole.rate().periodNanos() * gateways);
    return new TbfLimit(whole.unit(), rate, whole.depthTokens());
  }

  /** A limit that saves so long a time without requests up, to be spent above it. */
  private static TbfLimit saving(TbfLimit limit, DocumentNode burst) {
    double seconds = (double) burst.durationNanos(0, BURST_NANOS_MAX) / Rate.NANOS_PER_SECOND;
    double perSecond =
        (double) limit.rate().tokens() * Rate.NANOS_PER_SECOND / limit.rate().periodNanos();
    if (perSecond * seconds > TbfLimit.DEPTH_MAX) {
      throw burst.error(
          "expected at most "
              + Quantities.formatDuration(
                  Math.round(TbfLimit.DEPTH_MAX / perSecond) * 1_000_000_000L)
              + " at this rate");
    }
    long depth = Math.max(limit.depthTokens(), Math.round(perSecond * seconds));
    return new TbfLimit(limit.unit(), limit.rate(), depth);
  }

  /** Reads a rate as a limit: {@code 20 MB/s} or {@code 500 ops/s}. */
  public static TbfLimit limit(String text) {
    Quantities.CountedRate rate = Quantities.parseRate(text);
    if (rate.counted() == Quantities.Counted.TOKENS
        || rate.perSecond() > Rate.TOKENS_PER_SECOND_MAX) {
      throw new IllegalArgumentException("expected a rate such as 20 MB/s or 500 ops/s");
    }
    return TbfLimit.of(rate.unit(), Rate.perSecond(rate.perSecond()));
  }
}
