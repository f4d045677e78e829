package dev.sluice.control.aggregator;

import dev.sluice.control.access.TlsFiles;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * How an aggregator runs.
 *
 * @param name under which the controller knows its credentials
 * @param listen where agents call
 * @param tls what it shows to agents; null on loopback alone
 * @param timeoutNanos how long a report may be late before the others go on without it; shorter
 *     than the controller's, which waits for us
 * @param membersMax how many agents may be connected
 */
public record AggregatorOptions(
    String name,
    String host,
    InetSocketAddress listen,
    @Nullable TlsFiles tls,
    long timeoutNanos,
    int membersMax) {
  /** Half of what a controller waits that lets nodes report once a second. */
  public static final long TIMEOUT_NANOS = 250_000_000L;

  public static final int MEMBERS_MAX = 20_000;
}
