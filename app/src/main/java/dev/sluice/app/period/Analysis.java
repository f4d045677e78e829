package dev.sluice.app.period;

import dev.sluice.core.period.Inconclusive;
import dev.sluice.core.period.Period;
import dev.sluice.core.period.PeriodFinding;
import java.util.Locale;

/** A recording and what was found in it. */
record Analysis(String file, Recording recording, PeriodFinding finding) {
  static Analysis of(String file, Recording recording) {
    return new Analysis(file, recording, recording.find());
  }

  /** The answer in a few words. */
  String words() {
    return switch (finding.answer()) {
      case Period period ->
          String.format(
              Locale.ROOT, "period %s s, confidence %.2f", seconds(period), period.confidence());
      case Inconclusive inconclusive -> "no period: " + reason(inconclusive.reason());
    };
  }

  /** A period's seconds with four digits that count. */
  static String seconds(Period period) {
    return String.format(Locale.ROOT, "%.4g", period.nanos() / 1e9);
  }

  static String reason(Inconclusive.Reason reason) {
    return switch (reason) {
      case TOO_FEW_BURSTS -> "too few bursts";
      case IRREGULAR -> "chance explains the spacing";
      case SILENT -> "nothing came for several cycles";
    };
  }
}
