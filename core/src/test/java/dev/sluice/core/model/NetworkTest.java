package dev.sluice.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {
  @ParameterizedTest
  @CsvSource({
    "10.1.0.0/16, 10.1.255.255, true",
    "10.1.0.0/16, 10.2.0.0, false",
    "0.0.0.0/0, 255.1.2.3, true",
    "0.0.0.0/0, fd00::1, false",
    "10.1.2.3, 10.1.2.3, true",
    "10.1.2.3/32, 10.1.2.4, false",
    "fd00::/8, fdff::1, true",
    "fd00::/8, fe00::1, false",
    "fd00:0:0:1::/64, fd00:0:0:1:ffff::1, true",
    "fd00:0:0:1::/64, fd00:0:0:2::1, false"
  })
  void containsItsAddressesAndNoOthers(String network, String address, boolean expected) {
    assertThat(Network.parse(network).contains(ClientAddress.parse(address))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.1.0.0/33",
        "10.1.0.1/16",
        "10.1/16",
        "host.example",
        "",
        "10.0.0.0/",
        "10.0.0.0/-1",
        "fe80::1%eth0",
        "10.0.0.256",
        "1.2.3.4.5",
        "fd00::/129",
        "10.0.0.0/1x"
      })
  void refusesWhatIsNoNetwork(String text) {
    assertThatThrownBy(() -> Network.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsWrittenIsReadBack() {
    SeededCases.forAll(
        5_000,
        random -> {
          ClientAddress address =
              random.nextBoolean()
                  ? new ClientAddress(random.nextLong(), random.nextLong())
                  : ClientAddress.of(
                      new byte[] {
                        (byte) random.nextInt(),
                        (byte) random.nextInt(),
                        (byte) random.nextInt(),
                        (byte) random.nextInt()
                      });
          assertThat(ClientAddress.parse(address.toString())).isEqualTo(address);
          Network alone = new Network(address, 128);
          assertThat(Network.parse(alone.toString())).isEqualTo(alone);
          assertThat(alone.contains(address)).isTrue();
        });
  }
}
