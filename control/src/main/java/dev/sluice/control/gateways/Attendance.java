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
  private final Map<String, Record> records = new LinkedHashMap<>();

  private static final class Record {
    int missed;
    int inARow;
    int reports;
  }

  /** Whether a round waits for it. */
  boolean isWaitedFor(String gateway) {
    Record record = records.get(gateway);
    return record == null || record.missed < PATIENCE_ROUNDS;
  }

  /** Whether it has said nothing in so many rounds that it is as good as gone. */
  boolean isSilent(String gateway) {
    Record record = records.get(gateway);
    return record != null && record.inARow >= PATIENCE_ROUNDS;
  }

  /** A round is over for which it did not report. */
  void missed(String gateway) {
    Record record = records.computeIfAbsent(gateway, _ -> new Record());
    record.missed = Math.min(record.missed + 1, PATIENCE_ROUNDS);
    record.inARow = Math.min(record.inARow + 1, PATIENCE_ROUNDS);
    if (records.size() > NAMES_MAX) {
      records.remove(records.keySet().iterator().next());
    }
  }

  /** It has reported, in time or not. */
  void reported(String gateway) {
    Record record = records.get(gateway);
    if (record == null) {
      return;
    }
    record.inARow = 0;
    if (++record.reports == REPORTS_PER_ROUND) {
      record.reports = 0;
      record.missed--;
    }
    if (record.missed == 0) {
      records.remove(gateway);
    }
  }
}
