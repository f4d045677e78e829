package dev.sluice.control.gateways;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * For which gateways a round of reports waits. Each may miss {@link #PATIENCE_ROUNDS} rounds that
 * were waiting for it, and one more for every {@link #REPORTS_PER_ROUND} reports that it sends.
 *
 * <p>Theorem. Of any n rounds in which a gateway is asked, at most {@code PATIENCE_ROUNDS + n /
 * REPORTS_PER_ROUND} wait for it in vain, whatever it does: calls again, keeps silent, reports now
 * and then.
 *
 * <p>Not thread-safe.
 */
final class Attendance {
  static final int PATIENCE_ROUNDS = 3;
  static final int REPORTS_PER_ROUND = 8;

  /** More than any site has gateways; names need no key on loopback. */
  private static final int NAMES_MAX = 10_000;

  /** Only those that have missed something; the one that missed first goes first. */
  private final Map<String, Absences> absences = new LinkedHashMap<>();

  private static final class Absences {
    int missed;
    int inARow;
    int reports;
  }

  /** Whether a round waits for it. */
  boolean isWaitedFor(String gateway) {
    Absences its = absences.get(gateway);
    return its == null || its.missed < PATIENCE_ROUNDS;
  }

  /** Whether it has said nothing in so many rounds that it is as good as gone. */
  boolean isSilent(String gateway) {
    Absences its = absences.get(gateway);
    return its != null && its.inARow >= PATIENCE_ROUNDS;
  }

  /** A round is over for which it did not report. */
  void missed(String gateway) {
    Absences its = absences.computeIfAbsent(gateway, _ -> new Absences());
    its.missed = Math.min(its.missed + 1, PATIENCE_ROUNDS);
    its.inARow = Math.min(its.inARow + 1, PATIENCE_ROUNDS);
    if (absences.size() > NAMES_MAX) {
      absences.remove(absences.keySet().iterator().next());
    }
  }

  /** It has reported, in time or not. */
  void reported(String gateway) {
    Absences its = absences.get(gateway);
    if (its == null) {
      return;
    }
    its.inARow = 0;
    if (++its.reports == REPORTS_PER_ROUND) {
      its.reports = 0;
      its.missed--;
    }
    if (its.missed == 0) {
      absences.remove(gateway);
    }
  }
}
