package dev.sluice.app.coupons;

import dev.sluice.app.Table;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.ledger.LedgerSummary;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The books for people. */
final class CouponsText {
  private static final double SECONDS_PER_HOUR = 3_600;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private CouponsText() {}

  static List<String> lines(LedgerLocation where, LedgerSummary summary) {
    if (summary.couponsIssued() == 0 && summary.applications().isEmpty()) {
      return List.of("ledger " + where + ": nobody was ever owed anything");
    }
    List<String> lines = new ArrayList<>();
    Long assessed = summary.assessedNanos();
    if (assessed != null) {
      lines.add(
          "regret: "
              + nodeHours(summary.awardedNodeSeconds())
              + " of "
              + nodeHours(summary.regretBudgetNodeSeconds())
              + " node-hours were awarded at the assessment of "
              + TIME.format(Instant.ofEpochSecond(Math.floorDiv(assessed, NANOS_PER_SECOND)))
              + "; what is owed now would cost "
              + nodeHours(summary.regretNodeSeconds()));
    }
    Table table =
        new Table(
            List.of(
                "application",
                "owed",
                "on coupons",
                "of",
                "issued",
                "redeemed",
                "regret, node-hours",
                "due",
                "handed out"));
    for (LedgerSummary.Application application : summary.applications()) {
      table.row(
          List.of(
              application.name(),
              tokens(application.owedTokens(), summary.counted()),
              Long.toString(application.openCoupons()),
              Long.toString(application.couponsIssued()),
              tokens(application.issuedTokens(), summary.counted()),
              tokens(application.redeemedTokens(), summary.counted()),
              nodeHours(application.regretNodeSeconds()),
              nodeHours(application.dueNodeSeconds()),
              nodeHours(application.handedOutNodeSeconds())));
    }
    lines.addAll(table.lines());
    return lines;
  }

  private static String tokens(long tokens, @Nullable Counted counted) {
    return counted == Counted.BYTES ? Quantities.formatBytes((double) tokens) : tokens + " ops";
  }

  static String nodeHours(long nodeSeconds) {
    return String.format(Locale.ROOT, "%.2f", nodeSeconds / SECONDS_PER_HOUR);
  }
}
