package dev.sluice.load.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NfsClientTest {
  private static final Credential.Sys CALLER = new Credential.Sys("test", 1000, 100);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private TestNfsServer server;
  private NfsClient client;
  private Handle root;

  @BeforeEach
  void connect() throws IOException {
    server = new TestNfsServer();
    client = NfsClient.connect(server.address(), CALLER, PATIENCE);
    try (MountClient mounts = MountClient.connect(server.address(), CALLER, PATIENCE)) {
      root = Answers.await(mounts.mount("/@42/export"));
    }
  }

  @AfterEach
  void disconnect() throws IOException {
    client.close();
    server.close();
  }

  @Test
  void everyProcedureIsAnswered() throws IOException {
    assertThat(server.mounted).containsExactly("/@42/export");
    assertThat(Answers.await(client.ping())).isTrue();
    Handle directory = Answers.await(client.makeDirectory(root, "dir", 0755));
    Handle file = Answers.await(client.create(directory, "a", 0644));
    assertThat(Answers.await(client.lookup(directory, "a"))).isEqualTo(file);
    NfsClient.Written written =
        Answers.await(client.write(file, 3, text("hello"), StableHow.FILE_SYNC));
    assertThat(written.count()).isEqualTo(5);
    assertThat(written.stability()).isEqualTo(StableHow.FILE_SYNC);
    assertThat(Answers.await(client.commit(file))).isEqualTo(written.verifier());
    assertThat(Answers.await(client.attributes(file)).size()).isEqualTo(8);
    assertThat(Answers.await(client.attributes(directory)).type())
        .isEqualTo(FileAttributes.DIRECTORY);
    List<String> seen = new ArrayList<>();
    NfsClient.Read read =
        Answers.await(
            client.read(
                file, 3, 100, data -> seen.add(StandardCharsets.UTF_8.decode(data).toString())));
    assertThat(read).isEqualTo(new NfsClient.Read(5, true));
    assertThat(seen).containsExactly("hello");
    assertThat(Answers.await(client.access(file, 7))).isEqualTo(7);
    assertThat(Answers.await(client.setSize(file, 0))).isTrue();
    assertThat(Answers.await(client.setMode(file, 0600))).isTrue();
    Answers.await(client.makeSymbolicLink(directory, "s", "a"));
    Answers.await(client.makeNamedPipe(directory, "p", 0600));
    assertThat(Answers.await(client.readLink(file))).isEqualTo("x");
    Answers.await(client.link(file, directory, "l"));
    Answers.await(client.rename(directory, "a", directory, "b"));
    assertThat(Answers.await(client.list(directory, 0, 0, 4_096)).entries())
        .extracting(NfsClient.Entry::name)
        .containsExactly("b", "l", "p", "s");
    assertThat(Answers.await(client.listWithAttributes(directory, 0, 0, 4_096)).last()).isTrue();
    assertThat(Answers.await(client.fileSystemStatus(root))).isTrue();
    assertThat(Answers.await(client.limits(root)).writeMax()).isEqualTo(1 << 20);
    Answers.await(client.remove(directory, "b"));
    Answers.await(client.removeDirectory(root, "dir"));
    assertThat(server.isEmpty()).isTrue();
  }

  @Test
  void aRefusalNamesProcedureAndReason() {
    assertThatThrownBy(() -> Answers.await(client.lookup(root, "nobody")))
        .isInstanceOfSatisfying(
            Nfs3Exception.class,
            refused -> assertThat(refused.status()).isEqualTo(Nfs3Status.NOENT))
        .hasMessage("LOOKUP was refused with NFS3ERR_NOENT");
    assertThatThrownBy(
            () -> {
              try (MountClient mounts = MountClient.connect(server.address(), CALLER, PATIENCE)) {
                Answers.await(mounts.mount("/forbidden"));
              }
            })
        .hasMessageContaining("/forbidden")
        .hasMessageContaining("NFS3ERR_ACCES")
        .hasMessageContaining("privileged-ports: false");
  }

  @Test
  void repliesMayComeInManyFragments() throws IOException {
    server.fragmentBytes = 7;
    Handle file = Answers.await(client.create(root, "a", 0644));
    Answers.await(client.write(file, 0, text("0123456789".repeat(100)), StableHow.UNSTABLE));
    List<String> seen = new ArrayList<>();
    Answers.await(
        client.read(
            file, 0, 1_000, data -> seen.add(StandardCharsets.UTF_8.decode(data).toString())));
    assertThat(seen).containsExactly("0123456789".repeat(100));
  }

  @Test
  void callsOutliveBrokenConnections() throws IOException {
    for (boolean after : new boolean[] {false, true}) {
      server.cutAfterServing = after;
      server.cutEvery = 37;
      List<CompletableFuture<Handle>> answers = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        answers.add(client.create(root, "file" + i, 0644));
      }
      for (int i = 0; i < 500; i++) {
        Handle handle = Answers.await(answers.get(i));
        server.cutEvery = i == 499 ? Integer.MAX_VALUE : 37;
        assertThat(handle).isNotNull();
      }
    }
    for (int i = 0; i < 500; i++) {
      assertThat(Answers.await(client.lookup(root, "file" + i))).isNotNull();
    }
    assertThat(client.connections()).isGreaterThan(5);
  }

  @Test
  void aConnectionThatIsIdleWhenItBreaksIsMadeAnewToo() throws Exception {
    Answers.await(client.ping());
    for (int i = 0; i < 3; i++) {
      server.cutAll();
      assertThat(client.ping().get(10, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(client.connections()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void garbageBreaksTheConnectionAndNotTheCall() throws Exception {
    byte[][] sent = {
      {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff},
      {(byte) 0x80, 0, 0, 4, 1, 2, 3, 4},
      {(byte) 0x80, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 0}
    };
    for (byte[] garbage : sent) {
      server.garbage = garbage;
      assertThat(client.ping().get(10, TimeUnit.SECONDS)).isTrue();
      assertThat(server.garbage).isNull();
    }
    assertThat(client.connections()).isEqualTo(1 + sent.length);
  }

  @Test
  void anAnswerThatNobodyWaitsForIsPassedOver() throws Exception {
    byte[] stray = new byte[28];
    ByteBuffer.wrap(stray).putInt(0x8000_0018).putInt(0x1234_5678).putInt(1);
    server.garbage = stray;
    CompletableFuture<Boolean> first = client.ping();
    assertThat(client.ping().get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(first).isNotDone();
    assertThat(client.connections()).isEqualTo(1);
  }

  @Test
  void callsFailWhenTheServerStaysAwayOrTheClientIsClosed() throws IOException {
    try (NfsClient impatient =
        NfsClient.connect(server.address(), CALLER, Duration.ofMillis(200))) {
      Answers.await(impatient.ping());
      server.delayMillis = 30_000;
      CompletableFuture<Boolean> pending = client.ping();
      client.close();
      assertThatThrownBy(() -> Answers.await(pending)).hasMessageContaining("closed");
      server.close();
      assertThatThrownBy(() -> Answers.await(impatient.ping()))
          .hasMessageContaining("has not answered for too long");
      assertThatThrownBy(() -> Answers.await(impatient.ping()))
          .hasMessageContaining("has not answered for too long");
    }
  }

  @Test
  void whereNobodyListensConnectingFails() {
    InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    assertThatThrownBy(() -> NfsClient.connect(nowhere, CALLER, PATIENCE))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("cannot connect to")
        .hasMessageContaining("127.0.0.1");
    InetSocketAddress nobody = InetSocketAddress.createUnresolved("no.such.host.invalid", 1);
    assertThatThrownBy(() -> NfsClient.connect(nobody, CALLER, PATIENCE))
        .hasMessageContaining("no such host: no.such.host.invalid");
  }

  @Test
  void manyThreadsMayCallAtOnce() throws Exception {
    server.cutEvery = 1_009;
    List<Thread> threads = new ArrayList<>();
    List<Throwable> wrong = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            try {
              for (int j = 0; j < 500; j++) {
                assertThat(Answers.await(client.attributes(root)).type()).isEqualTo(2);
              }
            } catch (IOException | AssertionError e) {
              wrong.add(e);
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(wrong).isEmpty();
    assertThat(server.calls(Nfs3Procedure.GETATTR)).isGreaterThanOrEqualTo(4_000);
  }

  private static Payload text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Payload() {
      @Override
      public int length() {
        return bytes.length;
      }

      @Override
      public void writeTo(ByteBuffer out) {
        out.put(bytes);
      }
    };
  }
}
