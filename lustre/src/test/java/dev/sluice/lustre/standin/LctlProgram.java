package dev.sluice.lustre.standin;

import dev.sluice.lustre.lctl.Lctl;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A stand-in's {@code lctl} as a program that others can run: a script in a directory, and beside
 * it the socket on which the stand-in answers.
 */
public final class LctlProgram implements AutoCloseable {
  private static final String NAME = "lctl";

  private final Path program;
  private final StandInLctl lctl;
  private final ServerSocketChannel server;

  /** Puts the program into a directory and answers it from now on. */
  public LctlProgram(Path directory, StandInLctl lctl) throws IOException {
    this.lctl = lctl;
    this.program = directory.resolve(NAME);
    try (InputStream script = Objects.requireNonNull(LctlProgram.class.getResourceAsStream(NAME))) {
      Files.copy(script, program);
    }
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(directory.resolve("server.sock")));
    Thread.ofPlatform().daemon().name("stand-in-lctl").start(this::serve);
  }

  public Path program() {
    return program;
  }

  private void serve() {
    while (server.isOpen()) {
      try (SocketChannel connection = server.accept()) {
        answer(connection);
      } catch (IOException e) {
        // Whoever asked is gone, or the test is over.
      }
    }
  }

  private void answer(SocketChannel connection) throws IOException {
    DataInputStream in = new DataInputStream(Channels.newInputStream(connection));
    List<String> arguments = new ArrayList<>();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      arguments.add(new String(in.readNBytes(in.readInt()), StandardCharsets.ISO_8859_1));
    }
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Lctl.Outcome outcome = lctl.run(arguments, (bytes, length) -> printed.write(bytes, 0, length));
    byte[] errors = outcome.errors().getBytes(StandardCharsets.ISO_8859_1);
    DataOutputStream out = new DataOutputStream(Channels.newOutputStream(connection));
    out.writeInt(outcome.exitCode());
    out.writeInt(printed.size());
    out.writeInt(errors.length);
    out.write(printed.toByteArray());
    out.write(errors);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
