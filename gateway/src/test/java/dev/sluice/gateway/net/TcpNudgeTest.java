package dev.sluice.gateway.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class TcpNudgeTest {
  private static InetSocketAddress address(int bytes, RandomGenerator random)
      throws UnknownHostException {
    byte[] address = new byte[bytes];
    random.nextBytes(address);
    // Not one that only stands for an address of the other kind.
    address[0] = 10;
    return new InetSocketAddress(InetAddress.getByAddress(address), random.nextInt(1, 1 << 16));
  }

  /**
   * Whatever the addresses, the sum of a segment and of what it is checked with is nothing but
   * ones, and both ends are named where they belong.
   */
  @Test
  void theSumIsRight() {
    SeededCases.forAll(
        2_000,
        random -> {
          int length = random.nextBoolean() ? 4 : 16;
          TcpLink link = new TcpLink(address(length, random), address(length, random));
          ByteBuffer packet = ByteBuffer.wrap(TcpNudge.packet(link));
          int header = length == 4 ? 20 : 40;
          assertThat(packet.capacity()).isEqualTo(header + 20);
          int addresses = header - 2 * length;
          long sum =
              TcpNudge.words(packet, addresses, 2 * length)
                  + TcpNudge.words(packet, header, 20)
                  + SocketCalls.IPPROTO_TCP
                  + 20;
          assertThat(TcpNudge.folded(sum)).isEqualTo(0xffff);
          byte[] from = Arrays.copyOfRange(packet.array(), addresses, addresses + length);
          assertThat(from).isEqualTo(link.own().getAddress().getAddress());
          assertThat(Short.toUnsignedInt(packet.getShort(header))).isEqualTo(link.own().getPort());
          assertThat(Short.toUnsignedInt(packet.getShort(header + 2)))
              .isEqualTo(link.peer().getPort());
        });
  }
}
