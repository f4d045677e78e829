package dev.sluice.gateway.portmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.config.PortmapperChoice;
import dev.sluice.gateway.rpc.RpcServer;
import dev.sluice.gateway.rpc.RpcServerSettings;
import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.rpc.ReplyHeader;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.SeededCases;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls as clients make them, over both transports. */
@Timeout(60)
class PortmapperTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final int PORTMAP = 100_000;
  private static final int NFS = 100_003;
  private static final int MOUNT = 100_005;
  private static final int NLM = 100_021;
  private static final int NFSACL = 100_227;
  private static final int RQUOTA = 100_011;
  private static final int TCP = 6;
  private static final int UDP = 17;
  private static final int XID = 77;
  private static final int GETPORT = 3;
  private static final int DUMP = 4;
  private static final int GETVERSADDR = 9;

  private final Portmapper portmapper = new Portmapper(PortmapperChoice.OWN, LOOPBACK);
  private RpcServer server;
  private InetSocketAddress address;
  private volatile boolean admitted = true;

  @BeforeEach
  void listen() throws IOException {
    server =
        new RpcServer(
            portmapper.programs(),
            (_, _, _) -> {
              throw new IllegalStateException("nothing here waits for a target");
            },
            new RpcServerSettings(100, 64 << 20, Duration.ofSeconds(60)));
    address = portmapper.listen(server, 0, new Portmapper.Ports(2049, 20048), _ -> admitted);
  }

  @AfterEach
  void stop() {
    portmapper.close();
    server.close();
  }

  /** One way to ask. */
  @FunctionalInterface
  private interface Way {
    XdrReader ask(CallHeader call, Consumer<XdrWriter> arguments) throws IOException;
  }

  private List<Way> ways() {
    return List.of(this::overTcp, this::overUdp);
  }

  private static ByteBuffer record(CallHeader call, Consumer<XdrWriter> arguments) {
    ByteBuffer bytes = ByteBuffer.allocate(1024);
    XdrWriter out = new XdrWriter(bytes);
    call.encode(out);
    arguments.accept(out);
    return bytes.flip();
  }

  private XdrReader overTcp(CallHeader call, Consumer<XdrWriter> arguments) throws IOException {
    ByteBuffer record = record(call, arguments);
    try (Socket socket = new Socket()) {
      socket.connect(address);
      ByteBuffer marked = ByteBuffer.allocate(4 + record.remaining());
      marked.putInt(RecordMark.last(record.remaining())).put(record);
      socket.getOutputStream().write(marked.array());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] reply = new byte[RecordMark.length(in.readInt())];
      in.readFully(reply);
      return new XdrReader(ByteBuffer.wrap(reply));
    }
  }

  private XdrReader overUdp(CallHeader call, Consumer<XdrWriter> arguments) throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, LOOPBACK)) {
      socket.setSoTimeout(30_000);
      return datagram(socket, record(call, arguments));
    }
  }

  private XdrReader datagram(DatagramSocket socket, ByteBuffer call) throws IOException {
    socket.connect(new InetSocketAddress(LOOPBACK, portmapper.datagramPort()));
    byte[] bytes = new byte[call.remaining()];
    call.get(0, bytes);
    socket.send(new DatagramPacket(bytes, bytes.length));
    DatagramPacket reply = new DatagramPacket(new byte[4096], 4096);
    socket.receive(reply);
    return new XdrReader(ByteBuffer.wrap(reply.getData(), 0, reply.getLength()));
  }

  private static CallHeader portmap(int version, int procedure) {
    return new CallHeader(XID, PORTMAP, version, procedure, Credential.NONE);
  }

  private static XdrReader success(XdrReader reply) {
    assertThat(ReplyHeader.decode(reply)).isEqualTo(new ReplyHeader.Success(XID));
    return reply;
  }

  private static int port(Way way, int program, int version, int transport) throws IOException {
    XdrReader results =
        success(
            way.ask(
                portmap(2, GETPORT),
                out -> out.writeInt(program).writeInt(version).writeInt(transport).writeInt(0)));
    int port = results.readInt();
    assertThat(results.remaining()).isZero();
    return port;
  }

  private static String address(Way way, int asked, int program, int version, String netid)
      throws IOException {
    return address(way, portmap(asked, GETPORT), program, version, netid);
  }

  private static String address(Way way, CallHeader call, int program, int version, String netid)
      throws IOException {
    XdrReader results =
        success(
            way.ask(
                call,
                out -> {
                  out.writeInt(program).writeInt(version);
                  out.writeOpaque(netid.getBytes(StandardCharsets.US_ASCII));
                  out.writeOpaque("127.0.0.1.0.111".getBytes(StandardCharsets.US_ASCII));
                  out.writeOpaque(new byte[0]);
                }));
    return text(results);
  }

  private static String text(XdrReader in) {
    return new String(in.readOpaque(255), StandardCharsets.US_ASCII);
  }

  @Test
  void portsAreThoseOfTcpAndOfTheVersionsThatThereAre() throws IOException {
    for (Way way : ways()) {
      success(way.ask(portmap(2, 0), _ -> {}));
      assertThat(port(way, NFS, 3, TCP)).isEqualTo(2049);
      assertThat(port(way, MOUNT, 3, TCP)).isEqualTo(20048);
      assertThat(port(way, NLM, 4, TCP)).isEqualTo(2049);
      assertThat(port(way, NFSACL, 3, TCP)).isEqualTo(2049);
      for (int version : List.of(1, 2)) {
        assertThat(port(way, RQUOTA, version, TCP)).isEqualTo(2049);
        assertThat(port(way, RQUOTA, version, UDP)).isEqualTo(2049);
      }
      assertThat(port(way, PORTMAP, 2, TCP)).isEqualTo(address.getPort());
      assertThat(port(way, PORTMAP, 2, UDP)).isEqualTo(portmapper.datagramPort());
      assertThat(port(way, NFS, 3, UDP)).isZero();
      assertThat(port(way, NFS, 4, TCP)).isZero();
      assertThat(port(way, NFS, 2, TCP)).isZero();
      assertThat(port(way, 100_024, 1, TCP)).isZero();
    }
  }

  @Test
  void addressesHaveThePortInTheirLastTwoNumbers() throws IOException {
    for (Way way : ways()) {
      for (int asked : List.of(3, 4)) {
        assertThat(address(way, asked, NFS, 3, "tcp")).isEqualTo("127.0.0.1.8.1");
        assertThat(address(way, asked, MOUNT, 3, "tcp")).isEqualTo("127.0.0.1.78.80");
        assertThat(address(way, asked, NFS, 3, "udp")).isEmpty();
        assertThat(address(way, asked, NFS, 3, "tcp6")).isEmpty();
        assertThat(address(way, asked, NFS, 4, "tcp")).isEmpty();
      }
      assertThat(address(way, portmap(4, GETVERSADDR), NFS, 3, "tcp")).isEqualTo("127.0.0.1.8.1");
    }
  }

  @Test
  void everythingIsListed() throws IOException {
    for (Way way : ways()) {
      List<String> ports = new ArrayList<>();
      XdrReader listed = success(way.ask(portmap(2, DUMP), _ -> {}));
      while (listed.readBoolean()) {
        ports.add(
            listed.readInt()
                + " "
                + listed.readInt()
                + " "
                + listed.readInt()
                + " "
                + listed.readInt());
      }
      assertThat(ports).hasSize(16).contains("100003 3 6 2049", "100021 1 6 2049");
      List<String> addresses = new ArrayList<>();
      XdrReader later = success(way.ask(portmap(4, DUMP), _ -> {}));
      while (later.readBoolean()) {
        addresses.add(
            later.readInt() + " " + later.readInt() + " " + text(later) + " " + text(later));
        text(later);
      }
      assertThat(addresses).hasSize(16).contains("100005 3 tcp 127.0.0.1.78.80");
    }
  }

  /** SET and UNSET would let others take our place, CALLIT has us call for others. */
  @Test
  void nobodyRegistersAnythingOrHasCallsPassedOn() throws IOException {
    for (Way way : ways()) {
      for (int procedure : List.of(1, 2, 5)) {
        for (int version : List.of(2, 3, 4)) {
          XdrReader reply = way.ask(portmap(version, procedure), out -> out.writeLong(0));
          assertThat(ReplyHeader.decode(reply))
              .isEqualTo(new ReplyHeader.ProcedureUnavailable(XID));
        }
      }
      assertThat(ReplyHeader.decode(way.ask(portmap(5, 0), _ -> {})))
          .isEqualTo(new ReplyHeader.ProgramMismatch(XID, 2, 4));
      assertThat(ReplyHeader.decode(way.ask(portmap(2, GETPORT), _ -> {})))
          .isEqualTo(new ReplyHeader.GarbageArguments(XID));
      CallHeader other = new CallHeader(XID, NFS, 3, 0, Credential.NONE);
      assertThat(ReplyHeader.decode(way.ask(other, _ -> {})))
          .isEqualTo(new ReplyHeader.ProgramUnavailable(XID));
    }
  }

  @Test
  void strangersHearNothing() throws IOException {
    admitted = false;
    ByteBuffer call = record(portmap(2, DUMP), _ -> {});
    try (DatagramSocket socket = new DatagramSocket(0, LOOPBACK)) {
      socket.setSoTimeout(300);
      assertThatThrownBy(() -> datagram(socket, call)).isInstanceOf(SocketTimeoutException.class);
    }
    admitted = true;
    assertThat(port(this::overUdp, NFS, 3, TCP)).isEqualTo(2049);
  }

  @Test
  void rubbishStopsNobody() throws IOException {
    SeededCases.forAll(
        300,
        random -> {
          ByteBuffer call =
              record(portmap(2, GETPORT), out -> out.writeInt(NFS).writeInt(3).writeInt(TCP));
          byte[] bytes = new byte[random.nextInt(call.remaining() + 1)];
          call.get(bytes);
          for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
          }
          try (DatagramSocket socket = new DatagramSocket(0, LOOPBACK)) {
            socket.connect(new InetSocketAddress(LOOPBACK, portmapper.datagramPort()));
            socket.send(new DatagramPacket(bytes, bytes.length));
          }
        });
    // What was answered of it counts; another second has another allowance.
    assertThat(answeredEventually()).isEqualTo(2049);
  }

  private int answeredEventually() throws IOException {
    ByteBuffer call =
        record(portmap(2, GETPORT), out -> out.writeInt(NFS).writeInt(3).writeInt(TCP).writeInt(0));
    try (DatagramSocket socket = new DatagramSocket(0, LOOPBACK)) {
      socket.setSoTimeout(500);
      while (true) {
        try {
          return success(datagram(socket, call)).readInt();
        } catch (SocketTimeoutException e) {
          // Asked again, as every client does.
        }
      }
    }
  }

  @Test
  void whoListensToThisMachineAloneLeavesItsPortmapperAlone() throws IOException {
    try (Portmapper local = new Portmapper(PortmapperChoice.AUTO, LOOPBACK)) {
      local.open(server, new Portmapper.Ports(2049, 20048), _ -> true);
      assertThat(local.answers()).isFalse();
      assertThat(local.problem()).isNull();
    }
  }

  /** A portmapper speaks of an address at which its client can come, not of 0.0.0.0. */
  @Test
  void whoListensOnAllAddressesNamesTheOneThatLeadsToTheClient() throws IOException {
    InetAddress all = InetAddress.getByName("0.0.0.0");
    ClientAddress client = ClientAddress.parse("127.0.0.1");
    assertThat(UniversalAddress.reachableBy(client, all))
        .isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
    assertThat(UniversalAddress.reachableBy(client, InetAddress.ofLiteral("10.1.0.1")))
        .isEqualTo(InetAddress.ofLiteral("10.1.0.1"));
    assertThat(UniversalAddress.of(InetAddress.ofLiteral("fd00::1"), 2049)).endsWith(".8.1");
  }
}
