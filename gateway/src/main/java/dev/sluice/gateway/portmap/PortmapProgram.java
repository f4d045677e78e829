package dev.sluice.gateway.portmap;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.RpcProgram;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A portmapper that knows this gateway's programs: version 2 in ports, 3 and 4 in addresses (RFC
 * 1833). Nobody can register anything, and it calls nobody on another's behalf.
 */
final class PortmapProgram implements RpcProgram {
  static final int PROGRAM = 100_000;

  /** The version that speaks of ports; later ones speak of addresses. */
  static final int PORTS_VERSION = 2;

  static final List<Integer> VERSIONS = List.of(PORTS_VERSION, 3, 4);

  static final int NULL = 0;

  /** GETPORT, and GETADDR in later versions. */
  static final int GET = 3;

  static final int DUMP = 4;

  /** GETVERSADDR, which differs from GETADDR where other versions are taken for the one asked. */
  static final int GET_EXACTLY = 9;

  /** Nobody owns a program here in the sense of the protocol. */
  private static final String OWNER = "sluice";

  private static final int TEXT_BYTES_MAX = 255;
  private static final int SERVICE_BYTES_MAX =
      4 + 2 * 4 + (4 + 8) + (4 + UniversalAddress.LENGTH_MAX) + (4 + 8);

  private final int version;
  private final PortTable table;
  private final InetAddress listening;

  PortmapProgram(int version, PortTable table, InetAddress listening) {
    this.version = version;
    this.table = table;
    this.listening = listening;
  }

  @Override
  public int program() {
    return PROGRAM;
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public boolean hasProcedure(int procedure) {
    return switch (procedure) {
      case NULL, GET, DUMP -> true;
      case GET_EXACTLY -> version == 4;
      default -> false;
    };
  }

  @Override
  public Work inspect(RpcCall call, XdrReader arguments) {
    int replyBytesMax =
        switch (call.procedure()) {
          case NULL -> 0;
          case DUMP -> 4 + table.all().size() * SERVICE_BYTES_MAX;
          default -> 4 + UniversalAddress.LENGTH_MAX;
        };
    return new Work(null, null, 0, replyBytesMax, false);
  }

  @Override
  public Served serve(RpcCall call, Work work, XdrReader arguments, XdrWriter results) {
    switch (call.procedure()) {
      case NULL -> {}
      case GET, GET_EXACTLY -> get(call.client(), arguments, results);
      case DUMP -> dump(call.client(), results);
      default -> throw new XdrException("the portmapper has no procedure " + call.procedure());
    }
    return Served.ONE;
  }

  private void get(ClientAddress client, XdrReader in, XdrWriter out) {
    int program = in.readInt();
    int asked = in.readInt();
    if (version == PORTS_VERSION) {
      int transport = in.readInt();
      in.readInt(); // A port, which means nothing here.
      out.writeInt(table.port(program, asked, by -> by.number() == transport));
      return;
    }
    String netid = readText(in);
    in.skipOpaque(TEXT_BYTES_MAX); // The address that the client called.
    in.skipOpaque(TEXT_BYTES_MAX); // An owner, which means nothing here.
    boolean ipv6 = UniversalAddress.isIpv6(client);
    int port = table.port(program, asked, by -> by.netid(ipv6).equals(netid));
    writeText(port == 0 ? "" : address(client, port), out);
  }

  private void dump(ClientAddress client, XdrWriter out) {
    boolean ipv6 = UniversalAddress.isIpv6(client);
    for (Service service : table.all()) {
      out.writeBoolean(true).writeInt(service.program()).writeInt(service.version());
      if (version == PORTS_VERSION) {
        out.writeInt(service.transport().number()).writeInt(service.port());
      } else {
        writeText(service.transport().netid(ipv6), out);
        writeText(address(client, service.port()), out);
        writeText(OWNER, out);
      }
    }
    out.writeBoolean(false);
  }

  private String address(ClientAddress client, int port) {
    return UniversalAddress.of(UniversalAddress.reachableBy(client, listening), port);
  }

  private static String readText(XdrReader in) {
    return new String(in.readOpaque(TEXT_BYTES_MAX), StandardCharsets.US_ASCII);
  }

  private static void writeText(String text, XdrWriter out) {
    out.writeOpaque(text.getBytes(StandardCharsets.US_ASCII));
  }
}
