package dev.sluice.jobs.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Network;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeAddressesTest {
  private final Map<String, List<String>> names = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private long now;
  private long costNanos;

  private List<InetAddress> resolve(String host) throws IOException {
    now += costNanos;
    asked.add(host);
    if (host.contains(".")) {
      return List.of(InetAddress.ofLiteral(host));
    }
    List<String> found = names.get(host);
    if (found == null) {
      throw new UnknownHostException(host);
    }
    return found.stream().map(InetAddress::ofLiteral).toList();
  }

  private NodeAddresses addresses(String... further) {
    return new NodeAddresses(this::resolve, List.of(further), () -> now);
  }

  private static Network net(String address) {
    return Network.parse(address);
  }

  @Test
  void slurmsWordAndFurtherNames() {
    names.put("n1-ib", List.of("10.2.0.1", "fd00::1"));
    NodeAddresses addresses = addresses("{node}-ib");
    addresses.learn(Map.of("n1", "10.1.0.1"));
    assertThat(addresses.of("n1"))
        .containsExactly(net("10.1.0.1"), net("10.2.0.1"), net("fd00::1"));
    assertThat(addresses.of("n1")).hasSize(3);
    assertThat(asked).as("looked up once").containsExactly("10.1.0.1", "n1-ib");
  }

  @Test
  void aNodeThatSlurmSaidNothingOfGoesByItsName() {
    names.put("n7", List.of("10.1.0.7"));
    NodeAddresses addresses = addresses();
    assertThat(addresses.isKnown("n7")).isFalse();
    assertThat(addresses.of("n7")).containsExactly(net("10.1.0.7"));
    assertThat(addresses.oneWithoutAddress()).isNull();
    assertThat(addresses.of("nobody")).isEmpty();
    assertThat(addresses.oneWithoutAddress()).isEqualTo("nobody");
    assertThat(addresses.withoutAddress()).isEqualTo(1);
  }

  @Test
  void aNameServiceThatIsAwayTakesNothingAway() {
    names.put("n7", List.of("10.1.0.7"));
    NodeAddresses addresses = addresses();
    addresses.of("n7");
    names.clear();
    now += NodeAddresses.BELIEVED_NANOS;
    addresses.beginRound();
    addresses.refresh();
    assertThat(asked).hasSize(2);
    assertThat(addresses.of("n7")).containsExactly(net("10.1.0.7"));
    long generation = addresses.generation();
    names.put("n7", List.of("10.1.0.8"));
    now += NodeAddresses.RETRY_NANOS;
    addresses.beginRound();
    addresses.refresh();
    assertThat(addresses.of("n7")).containsExactly(net("10.1.0.8"));
    assertThat(addresses.generation()).isGreaterThan(generation);
  }

  @Test
  void aNewWordOfSlurmsIsLookedUpInTheNextRound() {
    NodeAddresses addresses = addresses();
    addresses.learn(Map.of("n1", "10.1.0.1"));
    addresses.of("n1");
    addresses.learn(Map.of("n1", "10.1.0.2"));
    addresses.refresh();
    assertThat(addresses.of("n1")).containsExactly(net("10.1.0.2"));
    assertThat(addresses.generation()).isEqualTo(1);
  }

  /** A slow name service costs a round's time, and the rest of the names wait for the next one. */
  @Test
  void aRoundHasAnEnd() {
    costNanos = NodeAddresses.ROUND_NANOS / 10;
    NodeAddresses addresses = addresses();
    for (int i = 0; i < 100; i++) {
      names.put("n" + i, List.of("10.1.0." + i));
    }
    for (int i = 0; i < 100; i++) {
      addresses.of("n" + i);
    }
    assertThat(asked).hasSize(10);
    assertThat(addresses.withoutAddress()).isEqualTo(90);
    for (int round = 0; round < 9; round++) {
      addresses.beginRound();
      addresses.refresh();
    }
    assertThat(addresses.withoutAddress()).isZero();
    assertThat(addresses.generation()).isEqualTo(90);
  }
}
