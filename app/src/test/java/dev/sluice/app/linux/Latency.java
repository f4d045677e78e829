package dev.sluice.app.linux;

import java.util.Locale;

/** How long users waited for one kind of action. */
record Latency(String action, int count, double medianMillis, double p99Millis, double maxMillis) {

  /** The line about an action in what latencies.py says; where nobody got as far, without end. */
  static Latency of(String action, String said) {
    for (String line : said.lines().toList()) {
      String[] words = line.split(" ", -1);
      if (words.length == 6 && "latency".equals(words[0]) && action.equals(words[1])) {
        return new Latency(
            action,
            Integer.parseInt(words[2]),
            Double.parseDouble(words[3]),
            Double.parseDouble(words[4]),
            Double.parseDouble(words[5]));
      }
    }
    double never = Double.POSITIVE_INFINITY;
    return new Latency(action, 0, never, never, never);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s median %.1f ms, p99 %.1f ms, longest %.0f ms of %d",
        action,
        medianMillis,
        p99Millis,
        maxMillis,
        count);
  }
}
