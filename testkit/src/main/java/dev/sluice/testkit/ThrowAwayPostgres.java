package dev.sluice.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL in a directory of its own, on a port of its own, run by somebody who may do
 * nothing else. Gone when it is closed.
 */
public final class ThrowAwayPostgres implements AutoCloseable {
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** PostgreSQL refuses to be run by root. */
  private static final String NOBODY = "nobody";

  private final Path programs;
  private final boolean asNobody;
  private final Path directory;
  private final int port;
  private final String password = UUID.randomUUID().toString();
  private String tlsOptions = "";

  private ThrowAwayPostgres(Path programs) throws IOException {
    this.programs = programs;
    this.asNobody = "root".equals(System.getProperty("user.name"));
    // Not the tests' own directory, into which nobody else may look.
    this.directory = Files.createTempDirectory(Path.of("/tmp"), "sluice-postgres-");
    this.port = freePort();
    Path passwordFile = Files.writeString(directory.resolve("password"), password + "\n");
    if (asNobody) {
      Files.setOwner(passwordFile, nobody());
      Files.setOwner(directory, nobody());
    }
    Files.writeString(passFile(), "*:*:*:sluice:" + password + "\n");
    run(
        "initdb",
        "--pgdata=" + data(),
        "--username=sluice",
        "--pwfile=" + passwordFile,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync");
    start();
  }

  /** The directory with initdb and pg_ctl, as Debian has it; null where there is none. */
  public static @Nullable Path programs() throws IOException {
    if (!Files.isDirectory(DEBIAN)) {
      return null;
    }
    try (Stream<Path> versions = Files.list(DEBIAN)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder())
          .orElse(null);
    }
  }

  /** Makes one and starts it. */
  public static ThrowAwayPostgres start(Path programs) throws IOException {
    return new ThrowAwayPostgres(programs);
  }

  private UserPrincipal nobody() throws IOException {
    return directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Path data() {
    return directory.resolve("data");
  }

  /** Where the driver finds the password, as it would find it in the home directory. */
  public Path passFile() {
    return directory.resolve("pgpass");
  }

  /** Where one of its databases is, with options after a question mark. */
  public String address(String database) {
    return address("127.0.0.1", database);
  }

  /** The same under another name of this machine. */
  public String address(String host, String database) {
    return "postgresql://sluice@" + host + ":" + port + "/" + database;
  }

  /** Has it speak TLS from its next start on, with a certificate and its key in PEM. */
  public void useTls(Path certificate, Path key) throws IOException {
    Path ownCertificate = Files.copy(certificate, directory.resolve("server.crt"));
    Path ownKey = directory.resolve("server.key");
    Files.createFile(
        ownKey, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(ownKey, Files.readAllBytes(key));
    if (asNobody) {
      Files.setOwner(ownCertificate, nobody());
      Files.setOwner(ownKey, nobody());
    }
    tlsOptions = " -c ssl=on -c ssl_cert_file=" + ownCertificate + " -c ssl_key_file=" + ownKey;
  }

  /** Copies all that it has, as it is now; it must be stopped. */
  public void keepCopy() throws IOException {
    run(Path.of("/bin/rm"), "-rf", copy().toString());
    run(Path.of("/bin/cp"), "-a", data().toString(), copy().toString());
  }

  /** Forgets what was done since {@link #keepCopy}; it must be stopped. */
  public void goBackToCopy() throws IOException {
    run(Path.of("/bin/rm"), "-rf", data().toString());
    run(Path.of("/bin/cp"), "-a", copy().toString(), data().toString());
  }

  private Path copy() {
    return directory.resolve("copy");
  }

  /** Starts it, or starts it again. */
  public void start() throws IOException {
    String options =
        "-p "
            + port
            + " -c listen_addresses=127.0.0.1 -c unix_socket_directories="
            + directory
            + " -c fsync=off"
            + tlsOptions;
    run(
        "pg_ctl",
        "start",
        "--wait",
        "--silent",
        "--pgdata=" + data(),
        "--log=" + directory.resolve("log"),
        "--options=" + options);
  }

  /** Ends it as a crash would. */
  public void stop() throws IOException {
    run("pg_ctl", "stop", "--mode=immediate", "--wait", "--silent", "--pgdata=" + data());
  }

  private void run(String program, String... arguments) throws IOException {
    run(programs.resolve(program), arguments);
  }

  private void run(Path program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (asNobody) {
      command.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=nogroup", "--clear-groups"));
    }
    command.add(program.toString());
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile("sluice-postgres", ".log");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(Path.of("/").toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException(program + " failed: " + Files.readString(output));
      }
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    } finally {
      Files.delete(output);
    }
  }

  @Override
  public void close() throws IOException {
    if (Files.exists(data().resolve("postmaster.pid"))) {
      stop();
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
