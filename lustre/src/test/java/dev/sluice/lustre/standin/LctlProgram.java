package dev.sluice.lustre.standin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.lustre.lctl.Lctl;
import dev.sluice.testkit.InstalledPrograms;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A stand-in's {@code lctl} as a program that others can run: compiled into a directory, and beside
 * it the socket on which the stand-in answers. Where there is no C compiler there is none, and the
 * test is skipped.
 */
public final class LctlProgram implements AutoCloseable {
  private static final String SOURCE = "lctl.c";
  private static final String COMPILER = "cc";
  private static final long COMPILING_SECONDS_MAX = 120;

  private final Path program;
  private final StandInLctl lctl;
  private final ServerSocketChannel server;

  /** Puts the program into a directory and answers it from now on. */
  public LctlProgram(Path directory, StandInLctl lctl) throws IOException, InterruptedException {
    this.lctl = lctl;
    this.program = directory.resolve("lctl");
    compile(directory);
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(directory.resolve("server.sock")));
    Thread.ofPlatform().daemon().name("stand-in-lctl").start(this::serve);
  }

  private void compile(Path directory) throws IOException, InterruptedException {
    assumeTrue(InstalledPrograms.have(COMPILER), COMPILER + " is not installed");
    Path source = directory.resolve(SOURCE);
    try (InputStream in = Objects.requireNonNull(LctlProgram.class.getResourceAsStream(SOURCE))) {
      Files.copy(in, source);
    }
    Path log = directory.resolve("lctl.log");
    Process compiler =
        new ProcessBuilder(
                COMPILER,
                "-std=c11",
                "-D_GNU_SOURCE",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-o",
                program.toString(),
                source.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(compiler.waitFor(COMPILING_SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    assertThat(compiler.exitValue()).as(Files.readString(log)).isZero();
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
