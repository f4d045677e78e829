package dev.sluice.gateway.portmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PortRegistrationTest {
  private static final int NFS = 100_003;
  private static final int MOUNT = 100_005;
  private static final int NLM = 100_021;
  private static final int NFSACL = 100_227;
  private static final int RQUOTA = 100_011;
  private static final Portmapper.Ports OURS = new Portmapper.Ports(2049, 20048);

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

  /** As RFC 1833 says, but all versions of a program are one. */
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
              case 1 ->
                  Objects.requireNonNullElse(ports.putIfAbsent(program, port), port) == port
                      ? 1
                      : 0;
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
  void allProgramsAreRegisteredAndForgotten() throws IOException {
    try (PortRegistration _ = new PortRegistration(address(), OURS)) {
      assertThat(ports)
          .isEqualTo(Map.of(NFS, 2049, MOUNT, 20048, NLM, 2049, NFSACL, 2049, RQUOTA, 2049));
    }
    assertThat(ports).isEmpty();
  }

  @Test
  void whatADeadGatewayLeftBehindIsOursAgain() throws IOException {
    ports.put(NFS, 2049);
    new PortRegistration(address(), OURS).close();
    assertThat(ports).isEmpty();
  }

  @Test
  void anotherServersPlaceIsNotTaken() {
    ports.put(MOUNT, 777);
    assertThatThrownBy(() -> new PortRegistration(address(), OURS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("at port 777 already");
    assertThat(ports).isEqualTo(Map.of(MOUNT, 777));
  }

  /**
   * A machine that has mounted something itself has a lock manager of its kernel's; one that was a
   * server before may have one of quotas.
   */
  @Test
  void theMachinesOwnServersOfLocksAndQuotasAreLeftInTheirPlace() throws IOException {
    ports.put(NLM, 777);
    ports.put(RQUOTA, 888);
    try (PortRegistration _ = new PortRegistration(address(), OURS)) {
      assertThat(ports)
          .isEqualTo(Map.of(NFS, 2049, MOUNT, 20048, NLM, 777, NFSACL, 2049, RQUOTA, 888));
    }
    assertThat(ports).isEqualTo(Map.of(NLM, 777, RQUOTA, 888));
  }

  @Test
  void whereThereIsNoPortmapperOneHearsSoAtOnce() {
    InetSocketAddress gone = address();
    portmapper.close();
    assertThatThrownBy(() -> new PortRegistration(gone, OURS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("there is no rpcbind");
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(portmapper.getLocalAddress(), portmapper.getLocalPort());
  }
}
