package dev.sluice.gateway.failover;

import dev.sluice.gateway.net.TcpLink;
import java.net.InetAddress;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Connections of the gateway before, whose clients may not know yet that they are gone, and when
 * each of them is to be nudged: at first twice a second, then once, because the address may come
 * here later than the right to serve does. A client that has made as many connections as it had is
 * not nudged any more, and nobody after {@value #GIVEN_UP_SECONDS} seconds. Not thread-safe.
 */
final class LostLinks {
  private static final int GIVEN_UP_SECONDS = 20;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long FIRST_NANOS = NANOS_PER_SECOND / 2;

  private final long beganNanos;
  private final Map<InetAddress, Long> counts;
  private final Set<TcpLink> rest;
  private long nextNanos;

  LostLinks(Collection<TcpLink> before, long nowNanos) {
    this.beganNanos = nowNanos;
    this.nextNanos = nowNanos;
    this.rest = new LinkedHashSet<>(before);
    this.counts = byAddress(rest);
  }

  private static Map<InetAddress, Long> byAddress(Set<TcpLink> links) {
    return links.stream()
        .map(link -> link.peer().getAddress())
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  /** Those that are to be nudged now, given who has connected here. */
  List<TcpLink> due(Set<TcpLink> connected, long nowNanos) {
    if (rest.isEmpty() || nowNanos - nextNanos < 0) {
      return List.of();
    }
    long ageNanos = nowNanos - beganNanos;
    if (ageNanos > GIVEN_UP_SECONDS * NANOS_PER_SECOND) {
      rest.clear();
      return List.of();
    }
    Map<InetAddress, Long> here = byAddress(connected);
    rest.removeIf(link -> {
      InetAddress address = link.peer().getAddress();
      return here.getOrDefault(address, 0L) >= counts.getOrDefault(address, 0L);
    });
    nextNanos = nowNanos + (ageNanos < 2 * FIRST_NANOS ? FIRST_NANOS : NANOS_PER_SECOND);
    return List.copyOf(rest);
  }

  /** Those that may still have to be nudged. */
  Set<TcpLink> rest() {
    return Set.copyOf(rest);
  }
}
