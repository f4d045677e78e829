package dev.sluice.gateway.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.net.TcpLink;
import dev.sluice.testkit.SeededCases;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientLinksTest {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  @TempDir private Path temporary;

  private static TcpLink link(int client, int port) {
    boolean isIpv6 = client % 3 == 0;
    return new TcpLink(
        new InetSocketAddress(
            InetAddress.ofLiteral((isIpv6 ? "fd00::" : "10.0.0.") + (client + 1)), port),
        new InetSocketAddress(InetAddress.ofLiteral(isIpv6 ? "fd00::ff" : "10.0.0.100"), 2049));
  }

  private static Set<TcpLink> some(RandomGenerator random) {
    Set<TcpLink> links = new HashSet<>();
    for (int i = random.nextInt(20); i > 0; i--) {
      links.add(link(random.nextInt(6), random.nextInt(1, 5)));
    }
    return links;
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    SeededCases.forAll(
        300,
        random -> {
          Path file = temporary.resolve("connections");
          Set<TcpLink> links = some(random);
          ClientLinks.write(file, links);
          assertThat(ClientLinks.read(file)).isEqualTo(links);
        });
  }

  @Test
  void whatIsNoneIsLeftOut() throws Exception {
    Path file = temporary.resolve("connections");
    assertThat(ClientLinks.read(file)).isEmpty();
    Files.writeString(
        file,
        """
        10.0.0.1 77 10.0.0.100 2049
        10.0.0.1 77 fd00::1 2049
        somebody 77 10.0.0.100 2049
        10.0.0.1 77777 10.0.0.100 2049
        10.0.0.1 -1 10.0.0.100 2049
        10.0.0.1 77

        """);
    assertThat(ClientLinks.read(file)).hasSize(1);
  }

  /**
   * However clients come back: at each look those are nudged whose address has fewer connections
   * than it had, no more often than every half second, and nobody after 20 seconds.
   */
  @Test
  void thoseAreNudgedThatHaveNotComeBack() {
    SeededCases.forAll(
        2_000,
        random -> {
          long beganNanos = random.nextLong();
          Set<TcpLink> before = some(random);
          LostLinks lost = new LostLinks(before, beganNanos);
          Set<TcpLink> here = new HashSet<>();
          Set<TcpLink> backOnce = new HashSet<>();
          Map<TcpLink, Long> lastMillis = new HashMap<>();
          for (long millis = 0; millis < 25_000; millis += random.nextInt(50, 400)) {
            if (random.nextInt(4) == 0) {
              here.add(link(random.nextInt(6), random.nextInt(10, 15)));
            }
            for (TcpLink link : before) {
              if (count(here, link) >= count(before, link)) {
                backOnce.add(link);
              }
            }
            List<TcpLink> due = lost.due(here, beganNanos + millis * NANOS_PER_MILLI);
            assertThat(due).noneMatch(backOnce::contains);
            for (TcpLink link : due) {
              assertThat(millis).isLessThanOrEqualTo(20_000);
              assertThat(millis - lastMillis.getOrDefault(link, -500L)).isGreaterThanOrEqualTo(500);
              lastMillis.put(link, millis);
            }
            for (TcpLink link : before) {
              if (millis <= 19_000 && !backOnce.contains(link)) {
                assertThat(millis - lastMillis.getOrDefault(link, -1L)).isLessThan(1_500);
              }
            }
          }
          assertThat(lost.rest()).isEmpty();
        });
  }

  private static long count(Set<TcpLink> links, TcpLink of) {
    return links.stream()
        .filter(link -> link.peer().getAddress().equals(of.peer().getAddress()))
        .count();
  }
}
