package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PortRegistrationTest {
  private static final int NFS = 100_003;
  private static final int MOUNT = 100_005;

  private final Map<Integer, Integer> ports = new ConcurrentHashMap<>();
  private DatagramSocket portmapper;

  @BeforeEach
  void startPortmapper() throws IOException {
    portmapper = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::answer);
  }

  @AfterEach
  void stopPortmapper() {
    portmapper.close();
  }

  /** As RFC 1833 says, with programs of one version. */
  private void answer() {
    try {
      while (true) {
        DatagramPacket packet = new DatagramPacket(new byte[512], 512);
        portmapper.receive(packet);
        ByteBuffer call = ByteBuffer.wrap(packet.getData(), 0, packet.getLength());
        int program = call.getInt(40);
        int port = call.getInt(52);
        int result =
            switch (call.getInt(20)) {
              case 1 -> ports.putIfAbsent(program, port) == null ? 1 : 0;
              case 2 -> ports.remove(program) == null ? 0 : 1;
              default -> ports.getOrDefault(program, 0);
            };
        ByteBuffer reply = ByteBuffer.allocate(28).putInt(0, call.getInt(0)).putInt(4, 1);
        reply.putInt(24, result);
        portmapper.send(new DatagramPacket(reply.array(), 28, packet.getSocketAddress()));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  @Test
  void bothProgramsAreRegisteredAndForgotten() throws IOException {
    try (PortRegistration _ = new PortRegistration(address(), 2049, 20048)) {
      assertThat(ports).isEqualTo(Map.of(NFS, 2049, MOUNT, 20048));
    }
    assertThat(ports).isEmpty();
  }

  @Test
  void whatADeadGatewayLeftBehindIsOursAgain() throws IOException {
    ports.put(NFS, 2049);
    new PortRegistration(address(), 2049, 20048).close();
    assertThat(ports).isEmpty();
  }

  @Test
  void anotherServersPlaceIsNotTaken() {
    ports.put(MOUNT, 777);
    assertThatThrownBy(() -> new PortRegistration(address(), 2049, 20048))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("at port 777 already");
    assertThat(ports).isEqualTo(Map.of(MOUNT, 777));
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(portmapper.getLocalAddress(), portmapper.getLocalPort());
  }
}
