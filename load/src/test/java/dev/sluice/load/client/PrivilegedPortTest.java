package dev.sluice.load.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

class PrivilegedPortTest {
  @Test
  void rootCallsFromPortsOfItsOwn() throws IOException {
    assumeTrue(
        "root".equals(System.getProperty("user.name")), "only root can use ports below 1024");
    try (SocketChannel one = SocketChannel.open();
        SocketChannel other = SocketChannel.open()) {
      PrivilegedPort.take(one);
      PrivilegedPort.take(other);
      assertThat(port(one)).isBetween(600, 1023);
      assertThat(port(other)).isBetween(600, 1023).isNotEqualTo(port(one));
    }
  }

  private static int port(SocketChannel socket) throws IOException {
    return ((InetSocketAddress) socket.getLocalAddress()).getPort();
  }
}
