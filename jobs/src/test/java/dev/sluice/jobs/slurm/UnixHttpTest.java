package dev.sluice.jobs.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class UnixHttpTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path directory;

  private static String read(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    UnixHttp.Answer answer = UnixHttp.read(new ByteArrayInputStream(bytes), 100);
    return answer.status() + " " + new String(answer.body(), StandardCharsets.ISO_8859_1);
  }

  @Test
  void answersOfEveryKindAreRead() throws IOException {
    assertThat(read("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef")).isEqualTo("200 abc");
    assertThat(read("HTTP/1.0 404 NOT FOUND\r\n\r\nall of it")).isEqualTo("404 all of it");
    assertThat(
            read(
                """
                HTTP/1.1 200 OK\r
                Transfer-Encoding: Chunked\r
                \r
                3\r
                abc\r
                A;x=y\r
                0123456789\r
                0\r
                \r
                """))
        .isEqualTo("200 abc0123456789");
  }

  @Test
  void whatIsNoAnswerIsRefused() {
    for (String bad :
        List.of(
            "",
            "SSH-2.0\r\n\r\n",
            "HTTP/1.1 2000 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n",
            "HTTP/1.1 200 OK\r\n\r\n" + "x".repeat(101),
            "HTTP/1.1 200 OK\r\n" + "a: b\r\n".repeat(101) + "\r\n",
            "x".repeat(10_000))) {
      assertThatThrownBy(() -> read(bad)).as(bad).isInstanceOf(BadAnswerException.class);
    }
  }

  @Test
  void everyMutationIsReadOrRefused() {
    byte[] good =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
            .getBytes(StandardCharsets.ISO_8859_1);
    SeededCases.forAll(
        5_000,
        random -> {
          byte[] bytes = Fixtures.mutated(good, random);
          try {
            UnixHttp.Answer answer = UnixHttp.read(new ByteArrayInputStream(bytes), 100);
            assertThat(answer.body()).hasSizeLessThanOrEqualTo(100);
          } catch (BadAnswerException e) {
            assertThat(e.getMessage()).isNotEmpty();
          }
        });
  }

  /** A server like slurmrestd of 23.11: it knows one version, and the newer ones are not found. */
  @Test
  void theNewestVersionThatIsThereIsFoundOnce() throws Exception {
    byte[] jobs = Fixtures.bytes("squeue-23.11.json");
    byte[] nodes = Fixtures.bytes("nodes-22.05.json");
    try (RestServer server =
        new RestServer(
            directory.resolve("rest"),
            Map.of("/slurm/v0.0.40/jobs", jobs, "/slurm/v0.0.40/nodes", nodes))) {
      RestSource source = new RestSource(new UnixHttp(server.path, PATIENCE, 1 << 20));
      assertThat(source.jobs().jobs()).hasSize(3);
      assertThat(source.name()).isEqualTo("slurmrestd v0.0.40");
      assertThat(source.nodeAddresses()).hasSize(4);
      assertThat(source.jobs().jobs()).hasSize(3);
      assertThat(server.asked)
          .containsExactly(
              "/slurm/v0.0.42/jobs",
              "/slurm/v0.0.41/jobs",
              "/slurm/v0.0.40/jobs",
              "/slurm/v0.0.40/nodes",
              "/slurm/v0.0.40/jobs");
    }
  }

  @Test
  void aServerThatSaysNothingIsNotWaitedForForEver() throws Exception {
    Path path = directory.resolve("silent");
    try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      silent.bind(UnixDomainSocketAddress.of(path));
      UnixHttp http = new UnixHttp(path, Duration.ofMillis(200), 100);
      assertThatThrownBy(() -> http.get("/")).hasMessageContaining("took longer than");
    }
  }

  /** Answers each path with what is written for it, and everything else with 404. */
  static final class RestServer implements AutoCloseable {
    final Path path;
    final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final ServerSocketChannel server;
    private final Map<String, byte[]> answers;

    RestServer(Path path, Map<String, byte[]> answers) throws IOException {
      this.path = path;
      this.answers = answers;
      this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(path));
      Thread.ofPlatform().daemon().start(this::serve);
    }

    private void serve() {
      try {
        while (true) {
          try (SocketChannel client = server.accept()) {
            ByteBuffer request = ByteBuffer.allocate(1_000);
            client.read(request);
            String[] words =
                new String(request.array(), 0, request.position(), StandardCharsets.US_ASCII)
                    .split(" ", 3);
            asked.add(words[1]);
            byte[] body = answers.get(words[1]);
            byte[] sent = body == null ? new byte[0] : body;
            String head =
                "HTTP/1.1 "
                    + (body == null ? "404 NOT FOUND" : "200 OK")
                    + "\r\nContent-Length: "
                    + sent.length
                    + "\r\n\r\n";
            write(client, head.getBytes(StandardCharsets.US_ASCII));
            write(client, sent);
          }
        }
      } catch (IOException e) {
        // Closed.
      }
    }

    private static void write(SocketChannel client, byte[] bytes) throws IOException {
      ByteBuffer out = ByteBuffer.wrap(bytes);
      while (out.hasRemaining()) {
        client.write(out);
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
