package dev.sluice.app.load;

import dev.sluice.app.BadInputException;
import dev.sluice.load.client.NfsVersion;
import dev.sluice.load.client.ServerAddress;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which server a command plays against. */
final class ServerOption {
  private static final Pattern SERVER =
      Pattern.compile("(?<host>\\[[0-9A-Fa-f:.%]+\\]|[^\\[\\]:/\\s]+)(:(?<port>[0-9]{1,5}))?");

  /** Where servers of version 4 answer, which nobody has to ask for. */
  private static final int NFS_PORT = 2_049;

  private static final int PORT_MAX = 65_535;

  @Option(
      names = "--server",
      required = true,
      paramLabel = "HOST[:PORT]",
      description =
          "The server, and the port of NFS. Without a port, its portmapper is asked; for NFS 4.1 it"
              + " is 2049.")
  String server = "";

  @Option(
      names = "--mount-port",
      paramLabel = "PORT",
      description = "The port of MOUNT, to be given where that of NFS is; NFS 4.1 needs none.")
  @Nullable Integer mountPort;

  @Option(
      names = "--nfs",
      paramLabel = "3|4.1",
      description = "The version of NFS (default: ${DEFAULT-VALUE}).")
  String nfs = "3";

  @Option(
      names = "--export",
      required = true,
      paramLabel = "PATH",
      description = "The path that the server exports.")
  String export = "";

  /** Where the server answers. */
  ServerAddress address(Credential caller) throws IOException {
    Matcher matcher = SERVER.matcher(server);
    if (!matcher.matches()) {
      throw new BadInputException(
          "--server " + server + ": expected HOST, HOST:PORT or [ADDRESS]:PORT");
    }
    String host = matcher.group("host").replaceAll("[\\[\\]]", "");
    String port = matcher.group("port");
    Integer mount = mountPort;
    if (version() == NfsVersion.V4_1) {
      if (mount != null) {
        throw new BadInputException("--mount-port " + mount + ": NFS 4.1 has no mounts of its own");
      }
      int only = port == null ? NFS_PORT : port("--server", Integer.parseInt(port));
      return ServerAddress.of(host, only, only);
    }
    if (port == null && mount == null) {
      return ServerAddress.ask(host, caller);
    }
    if (port == null || mount == null) {
      throw new BadInputException("expected both a port in --server and --mount-port, or neither");
    }
    return ServerAddress.of(
        host, port("--server", Integer.parseInt(port)), port("--mount-port", mount));
  }

  NfsVersion version() {
    return NfsVersion.parse(nfs)
        .orElseThrow(() -> new BadInputException("--nfs " + nfs + ": expected 3 or 4.1"));
  }

  /** The path as mounts name it. */
  String path() {
    if (!export.startsWith("/")) {
      throw new BadInputException("--export " + export + ": expected a path that begins with /");
    }
    return export;
  }

  private static int port(String option, int port) {
    if (port < 1 || port > PORT_MAX) {
      throw new BadInputException(
          option + ": expected a port from 1 to " + PORT_MAX + ", not " + port);
    }
    return port;
  }
}
