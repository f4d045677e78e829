package dev.sluice.control.controller;

import dev.sluice.control.access.TlsFiles;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * How a controller runs; what it holds everybody to is in its settings.
 *
 * @param listen where members call
 * @param tls null on loopback alone
 * @param periodNanos how often nodes report
 * @param timeoutNanos how long a report may be late before the others go on without it
 * @param lapseNanos how long limits hold without orders
 * @param membersMax how many may be connected
 */
public record ControllerOptions(
    InetSocketAddress listen,
    @Nullable TlsFiles tls,
    long periodNanos,
    long timeoutNanos,
    long lapseNanos,
    int membersMax) {
  /** Once a second, as in the paper. */
  public static final long PERIOD_NANOS = 1_000_000_000L;

  private static final long LAPSE_PERIODS = 5;

  /** More than ten thousand nodes, and a bound on what is kept. */
  public static final int MEMBERS_MAX = 20_000;

  /** The usual times for this period: half of it for reports, five of it until limits lapse. */
  public static ControllerOptions of(
      InetSocketAddress listen, @Nullable TlsFiles tls, long periodNanos) {
    return new ControllerOptions(
        listen,
        tls,
        periodNanos,
        Math.max(1, periodNanos / 2),
        LAPSE_PERIODS * periodNanos,
        MEMBERS_MAX);
  }
}
