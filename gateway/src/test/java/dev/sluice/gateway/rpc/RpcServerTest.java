package dev.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.gateway.target.TargetSettings;
import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.rpc.ReplyHeader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.SeededCases;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RpcServerTest {
  private final List<AutoCloseable> opened = new ArrayList<>();

  private ToyServer server(ToyServer server) {
    opened.add(server);
    return server;
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  @Test
  void answersACall() throws Exception {
    ToyServer server = server(new ToyServer());
    try (ToyClient client = server.connect()) {
      ToyClient.Reply reply =
          client.call(ToyProgram.ECHO, out -> out.writeOpaque(new byte[] {1, 2, 3, 4, 5}));
      assertThat(reply.header()).isEqualTo(new ReplyHeader.Success(1));
      assertThat(reply.results().readOpaque(100)).containsExactly(1, 2, 3, 4, 5);
      assertThat(client.call(ToyProgram.NULL, _ -> {}).header())
          .isEqualTo(new ReplyHeader.Success(2));
    }
    server.awaitQuiet();
  }

  @Test
  void saysWhyACallCannotBeAnswered() throws Exception {
    ToyServer server = server(new ToyServer());
    try (ToyClient client = server.connect()) {
      Credential somebody = new Credential.Sys("node1", 1, 1);
      int program = ToyProgram.PROGRAM;
      int version = ToyProgram.VERSION;
      assertThat(reply(client, new CallHeader(1, 9, 9, 0, somebody)))
          .isEqualTo(new ReplyHeader.ProgramUnavailable(1));
      assertThat(reply(client, new CallHeader(2, program, 9, 0, somebody)))
          .isEqualTo(new ReplyHeader.ProgramMismatch(2, version, version));
      assertThat(reply(client, new CallHeader(3, program, version, 99, somebody)))
          .isEqualTo(new ReplyHeader.ProcedureUnavailable(3));
      assertThat(reply(client, new CallHeader(4, program, version, ToyProgram.ECHO, somebody)))
          .isEqualTo(new ReplyHeader.GarbageArguments(4));
      assertThat(reply(client, new CallHeader(5, program, version, ToyProgram.FAIL, somebody)))
          .isEqualTo(new ReplyHeader.SystemError(5));
      assertThat(reply(client, new CallHeader(6, program, version, ToyProgram.OVERFLOW, somebody)))
          .isEqualTo(new ReplyHeader.SystemError(6));
      assertThat(reply(client, new CallHeader(7, program, version, 0, new Credential.Unknown(6))))
          .isEqualTo(new ReplyHeader.AuthenticationError(7, ReplyHeader.BAD_CREDENTIAL));
      assertThat(reply(client, new CallHeader(8, program, version, ToyProgram.COUNT, somebody)))
          .isEqualTo(new ReplyHeader.Success(8));
    }
    server.awaitQuiet();
  }

  private static ReplyHeader reply(ToyClient client, CallHeader call) throws IOException {
    client.send(ToyClient.call(call, _ -> {}));
    return client.receive().header();
  }

  @Test
  void answersEachOfManyCallsThatComeAtOnce() throws Exception {
    ToyServer server = server(new ToyServer());
    try (ToyClient client = server.connect();
        ExecutorService sender = Executors.newSingleThreadExecutor()) {
      int calls = 20_000;
      Future<?> sent =
          sender.submit(
              (Callable<Void>)
                  () -> {
                    ByteBuffer batch = ByteBuffer.allocate(1 << 20);
                    for (int i = 0; i < calls; i++) {
                      int value = i;
                      ByteBuffer call =
                          ToyClient.call(i, ToyProgram.ECHO, out -> echo(out, value % 700, value));
                      if (batch.remaining() < call.remaining()) {
                        client.send(batch.flip());
                        batch.clear();
                      }
                      batch.put(call);
                    }
                    client.send(batch.flip());
                    return null;
                  });
      BitSet answered = new BitSet();
      for (int i = 0; i < calls; i++) {
        ToyClient.Reply reply = client.receive();
        assertThat(reply.header()).isInstanceOf(ReplyHeader.Success.class);
        int xid = reply.header().xid();
        assertThat(answered.get(xid)).isFalse();
        answered.set(xid);
        byte[] echoed = reply.results().readOpaque(1_000);
        assertThat(echoed).hasSize(xid % 700);
        if (echoed.length > 0) {
          assertThat(echoed[echoed.length - 1]).isEqualTo((byte) xid);
        }
      }
      assertThat(answered.cardinality()).isEqualTo(calls);
      sent.get();
    }
    server.awaitQuiet();
  }

  private static void echo(XdrWriter out, int length, int value) {
    byte[] bytes = new byte[length];
    if (length > 0) {
      bytes[length - 1] = (byte) value;
    }
    out.writeOpaque(bytes);
  }

  @Test
  void recordsMayComeInAnyPiecesAndFragments() throws Exception {
    ToyServer server = server(new ToyServer());
    SeededCases.forAll(
        30,
        random -> {
          try (ToyClient client = server.connect()) {
            for (int i = 0; i < 10; i++) {
              int length = length(random);
              byte[] bytes = new byte[length];
              random.nextBytes(bytes);
              ByteBuffer record = ToyClient.call(i, ToyProgram.ECHO, out -> out.writeOpaque(bytes));
              sendInPieces(client, fragmented(record, random), random);
              ToyClient.Reply reply = client.receive();
              assertThat(reply.header()).isEqualTo(new ReplyHeader.Success(i));
              assertThat(reply.results().readOpaque(1 << 20)).isEqualTo(bytes);
            }
          }
        });
    server.awaitQuiet();
  }

  private static int length(RandomGenerator random) {
    return random.nextInt(3) == 0 ? random.nextInt(4_000) : random.nextInt(100);
  }

  /** The same record, cut into fragments, some of them empty. */
  private static ByteBuffer fragmented(ByteBuffer record, RandomGenerator random) {
    int fragments = random.nextInt(6);
    ByteBuffer cut = ByteBuffer.allocate(record.remaining() + fragments * RecordMark.BYTES);
    record.getInt();
    for (int i = 0; i < fragments; i++) {
      int length = random.nextInt(record.remaining() + 1) / 2;
      cut.putInt(RecordMark.more(length)).put(record.slice(record.position(), length));
      record.position(record.position() + length);
    }
    return cut.putInt(RecordMark.last(record.remaining())).put(record).flip();
  }

  private static void sendInPieces(ToyClient client, ByteBuffer bytes, RandomGenerator random)
      throws IOException {
    int end = bytes.limit();
    while (bytes.position() < end) {
      bytes.limit(Math.min(end, bytes.position() + 1 + random.nextInt(end)));
      client.send(bytes);
    }
  }

  @Test
  void movesAMebibyteEitherWay() throws Exception {
    ToyServer server = server(new ToyServer());
    byte[] bytes = new byte[1 << 20];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 7);
    }
    int sample = ToyProgram.sample(ByteBuffer.wrap(bytes));
    try (ToyClient client = server.connect()) {
      for (int i = 0; i < 20; i++) {
        assertThat(client.call(ToyProgram.WRITE, out -> out.writeOpaque(bytes)).results().readInt())
            .isEqualTo(sample);
        byte[] read =
            client
                .call(ToyProgram.READ, out -> out.writeInt(1 << 20))
                .results()
                .readOpaque(1 << 20);
        for (int at = 0; at < read.length; at += 4_099) {
          assertThat(read[at]).isEqualTo((byte) at);
        }
      }
    }
    server.awaitQuiet();
  }

  @Test
  void anOversizedRecordEndsItsConnectionOnly() throws Exception {
    ToyServer server = server(new ToyServer());
    try (ToyClient good = server.connect();
        ToyClient bad = server.connect()) {
      bad.send(ByteBuffer.allocate(4).putInt(RecordMark.last(1 << 24)).flip());
      assertThatThrownBy(bad::receive).isInstanceOf(IOException.class);
      assertThat(good.call(ToyProgram.NULL, _ -> {}).header())
          .isInstanceOf(ReplyHeader.Success.class);
    }
    server.awaitQuiet();
    assertThat(server.server.statistics().malformed()).isEqualTo(1);
  }

  @Test
  void aRecordOfEndlessFragmentsEndsItsConnection() throws Exception {
    ToyServer server = server(new ToyServer());
    try (ToyClient client = server.connect()) {
      ByteBuffer empty = ByteBuffer.allocate(4 * 2_000);
      client.send(empty);
      assertThatThrownBy(client::receive).isInstanceOf(IOException.class);
    }
    server.awaitQuiet();
  }

  @Test
  void aClientThatNeverReadsHarmsOnlyItself() throws Exception {
    RpcServerSettings impatient = new RpcServerSettings(100, 64 << 20, Duration.ofMillis(1_500));
    ToyServer server = server(new ToyServer(impatient, ToyServer.unlimited(4)));
    try (ToyClient deaf = server.connect();
        ToyClient good = server.connect();
        ExecutorService sender = Executors.newSingleThreadExecutor()) {
      Future<?> sending =
          sender.submit(() -> {
            try {
              for (int i = 0; i < 100_000; i++) {
                deaf.send(smallReadCall(i));
              }
            } catch (IOException _) {
              return; // It was given up.
            }
          });
      long most = 0;
      for (int i = 0; i < 300; i++) {
        byte[] read =
            good.call(ToyProgram.READ, out -> out.writeInt(100_000)).results().readOpaque(1 << 20);
        assertThat(read).hasSize(100_000);
        most = Math.max(most, server.server.bufferBytes());
        TimePasses.forMillis(2);
      }
      assertThat(most).isLessThan(36 << 20);
      sending.get();
      assertThatThrownBy(
              () -> {
                while (true) {
                  deaf.receive();
                }
              })
          .isInstanceOf(IOException.class);
    }
    server.awaitQuiet();
  }

  private static ByteBuffer smallReadCall(int xid) {
    return ToyClient.call(xid, ToyProgram.READ, out -> out.writeInt(1 << 20));
  }

  @Test
  void aClientThatLeavesARecordUnfinishedIsGivenUp() throws Exception {
    RpcServerSettings impatient = new RpcServerSettings(100, 64 << 20, Duration.ofMillis(300));
    ToyServer server = server(new ToyServer(impatient, ToyServer.unlimited(4)));
    try (ToyClient small = server.connect();
        ToyClient large = server.connect();
        ToyClient idle = server.connect()) {
      small.send(ByteBuffer.allocate(8).putInt(RecordMark.last(100)).putInt(1).flip());
      large.send(ByteBuffer.allocate(8).putInt(RecordMark.last(1 << 20)).putInt(1).flip());
      assertThatThrownBy(small::receive).isInstanceOf(IOException.class);
      assertThatThrownBy(large::receive).isInstanceOf(IOException.class);
      TimePasses.forMillis(500);
      assertThat(idle.call(ToyProgram.NULL, _ -> {}).header())
          .as("who has nothing to say may stay")
          .isInstanceOf(ReplyHeader.Success.class);
    }
    server.awaitQuiet();
  }

  @Test
  void slowCallsOfOneConnectionAreServedSideBySide() throws Exception {
    ToyServer server = server(new ToyServer(ToyServer.SETTINGS, ToyServer.unlimited(16)));
    try (ToyClient client = server.connect()) {
      int sleepMicros = 20_000;
      for (int i = 0; i < 8; i++) {
        client.call(ToyProgram.SLEEP, out -> out.writeInt(sleepMicros));
      }
      int calls = 64;
      Set<ReplyHeader> replies = new HashSet<>();
      for (int i = 0; i < calls; i++) {
        client.send(ToyClient.call(1_000 + i, ToyProgram.SLEEP, out -> out.writeInt(sleepMicros)));
      }
      for (int i = 0; i < calls; i++) {
        replies.add(client.receive().header());
      }
      assertThat(replies).hasSize(calls);
      assertThat(server.program.mostSleeping.get()).as("at the same time").isGreaterThan(4);
    }
    server.awaitQuiet();
  }

  @Test
  void aThousandConnectionsAreServed() throws Exception {
    ToyServer server = server(new ToyServer());
    List<ToyClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 1_000; i++) {
        clients.add(server.connect());
      }
      for (int round = 0; round < 3; round++) {
        for (ToyClient client : clients) {
          client.send(ToyClient.call(7, ToyProgram.ECHO, out -> out.writeOpaque(new byte[64])));
        }
        for (ToyClient client : clients) {
          assertThat(client.receive().header()).isEqualTo(new ReplyHeader.Success(7));
        }
      }
      assertThat(server.server.statistics().connections()).isEqualTo(1_000);
    } finally {
      for (ToyClient client : clients) {
        client.close();
      }
    }
    server.awaitQuiet();
  }

  @Test
  void oneConnectionTooManyIsTurnedAway() throws Exception {
    RpcServerSettings two = new RpcServerSettings(2, 64 << 20, Duration.ofSeconds(20));
    ToyServer server = server(new ToyServer(two, ToyServer.unlimited(1)));
    try (ToyClient first = server.connect();
        ToyClient second = server.connect();
        ToyClient third = server.connect()) {
      first.call(ToyProgram.NULL, _ -> {});
      second.call(ToyProgram.NULL, _ -> {});
      assertThatThrownBy(() -> third.call(ToyProgram.NULL, _ -> {}))
          .isInstanceOf(IOException.class);
    }
    server.awaitQuiet();
    assertThat(server.server.statistics().refused()).isEqualTo(1);
  }

  @Test
  void aRepeatedCallIsAnsweredFromMemory() throws Exception {
    ToyServer server = server(new ToyServer());
    try (ToyClient first = server.connect();
        ToyClient second = server.connect()) {
      first.send(ToyClient.call(77, ToyProgram.COUNT, _ -> {}));
      assertThat(first.receive().results().readInt()).isEqualTo(1);
      second.send(ToyClient.call(77, ToyProgram.COUNT, _ -> {}));
      ToyClient.Reply again = second.receive();
      assertThat(again.header()).isEqualTo(new ReplyHeader.Success(77));
      assertThat(again.results().readInt()).isEqualTo(1);
      second.send(ToyClient.call(78, ToyProgram.COUNT, _ -> {}));
      assertThat(second.receive().results().readInt()).isEqualTo(2);
      second.send(ToyClient.call(77, ToyProgram.COUNT, out -> out.writeInt(5)));
      assertThat(second.receive().results().readInt())
          .as("another call that has the same number")
          .isEqualTo(3);
    }
    server.awaitQuiet();
    assertThat(server.server.statistics().duplicates()).isEqualTo(1);
  }

  @Test
  void whateverComesTheServerGoesOnAndLeaksNothing() throws Exception {
    ToyServer server = server(new ToyServer());
    SeededCases.forAll(
        400,
        random -> {
          try (ToyClient client = server.connect()) {
            client.channel.configureBlocking(false);
            ByteBuffer junk = junk(random);
            for (int tries = 0; junk.hasRemaining() && tries < 100; tries++) {
              client.channel.write(junk);
            }
            if (random.nextBoolean()) {
              client.channel.read(ByteBuffer.allocate(1 << 16));
            }
          } catch (IOException _) {
            return; // The server has closed it already.
          }
        });
    try (ToyClient client = server.connect()) {
      assertThat(client.call(ToyProgram.NULL, _ -> {}).header())
          .isInstanceOf(ReplyHeader.Success.class);
    }
    server.awaitQuiet();
  }

  /** A few calls, cut, mutated, or not calls at all. */
  private static ByteBuffer junk(RandomGenerator random) {
    ByteBuffer junk = ByteBuffer.allocate(1 << 20);
    int records = 1 + random.nextInt(8);
    for (int i = 0; i < records; i++) {
      byte[] data = new byte[random.nextInt(300)];
      random.nextBytes(data);
      ByteBuffer call =
          random.nextInt(5) == 0
              ? ByteBuffer.wrap(data)
              : ToyClient.call(
                  random.nextInt(),
                  random.nextInt(10),
                  out -> {
                    if (random.nextBoolean()) {
                      out.writeInt(random.nextInt(70_000));
                    } else {
                      out.writeOpaque(data);
                    }
                  });
      for (int mutations = random.nextInt(4) * random.nextInt(3); mutations > 0; mutations--) {
        if (call.hasRemaining()) {
          call.put(random.nextInt(call.limit()), (byte) random.nextInt());
        }
      }
      if (random.nextInt(6) == 0) {
        call.limit(random.nextInt(call.limit() + 1));
      }
      junk.put(call);
    }
    return junk.flip();
  }

  @Test
  void descriptorsComeBackWhileClientsComeAndGo() throws Exception {
    ToyServer server = server(new ToyServer());
    try (ToyClient warm = server.connect()) {
      warm.call(ToyProgram.NULL, _ -> {});
    }
    server.awaitQuiet();
    long before = openDescriptors();
    try (ExecutorService clients = Executors.newFixedThreadPool(8)) {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int seed = i;
        done.add(
            clients.submit(
                (Callable<Void>)
                    () -> {
                      comeAndGo(server, RandomGenerator.of("L64X128MixRandom"), seed);
                      return null;
                    }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    }
    server.awaitQuiet();
    assertThat(openDescriptors()).isLessThanOrEqualTo(before + 8);
  }

  private static void comeAndGo(ToyServer server, RandomGenerator random, int seed)
      throws IOException {
    for (int i = 0; i < 100; i++) {
      try (ToyClient client = server.connect()) {
        int calls = random.nextInt(4);
        for (int c = 0; c < calls; c++) {
          client.send(
              ToyClient.call(c, ToyProgram.READ, out -> out.writeInt(random.nextInt(200_000))));
        }
        if ((i + seed) % 2 == 0) {
          for (int c = 0; c < calls; c++) {
            client.receive();
          }
        }
      }
    }
  }

  private static long openDescriptors() throws IOException {
    try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.count();
    }
  }

  @Test
  void stoppingLetsWhatIsUnderWayEnd() throws Exception {
    ToyServer server = server(new ToyServer(ToyServer.SETTINGS, ToyServer.unlimited(1)));
    try (ToyClient client = server.connect()) {
      client.call(ToyProgram.SLEEP, out -> out.writeInt(100_000));
      client.send(ToyClient.call(1, ToyProgram.SLEEP, out -> out.writeInt(200_000)));
      client.send(ToyClient.call(2, ToyProgram.SLEEP, out -> out.writeInt(200_000)));
      Eventually.await("both are under way", () -> server.server.statistics().calls() >= 2);
      server.server.stop(Duration.ofSeconds(10));
      assertThat(client.receive().header()).isInstanceOf(ReplyHeader.Success.class);
      assertThatThrownBy(
              () -> {
                client.receive();
                client.receive();
              })
          .isInstanceOf(IOException.class);
    }
    assertThat(server.server.bufferBytes()).isZero();
  }

  @Test
  void schedulersCanBeExchangedUnderLoadAndNoCallIsLost() throws Exception {
    TargetSettings paced =
        new TargetSettings(new Target("disk", 20_000, TokenUnit.OPERATIONS), true, 2);
    ToyServer server = server(new ToyServer(ToyServer.SETTINGS, paced));
    try (ExecutorService clients = Executors.newFixedThreadPool(4)) {
      List<Future<Integer>> replies = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        replies.add(
            clients.submit(() -> {
              int got = 0;
              try (ToyClient client = server.connect()) {
                for (int round = 0; round < 100; round++) {
                  for (int c = 0; c < 20; c++) {
                    client.send(
                        ToyClient.call(c, ToyProgram.ECHO, out -> out.writeOpaque(new byte[10])));
                  }
                  Set<ReplyHeader> seen = new HashSet<>();
                  for (int c = 0; c < 20; c++) {
                    seen.add(client.receive().header());
                  }
                  got += seen.size();
                }
              }
              return got;
            }));
      }
      List<SchedulerKind> kinds = List.of(SchedulerKind.values());
      int switches = 0;
      while (!replies.stream().allMatch(Future::isDone)) {
        server.target.use(kinds.get(switches++ % kinds.size()), System.nanoTime());
        TimePasses.forMillis(1);
      }
      for (Future<Integer> each : replies) {
        assertThat(each.get()).isEqualTo(2_000);
      }
      assertThat(switches).isGreaterThan(10);
    }
    assertThat(server.program.served.get()).isEqualTo(8_000);
    server.awaitQuiet();
  }

  @Test
  void listensOnIpv6() throws Exception {
    ToyServer server = server(new ToyServer());
    try (ToyClient client = new ToyClient(server.server.listen(InetAddress.ofLiteral("::1"), 0))) {
      assertThat(client.call(ToyProgram.NULL, _ -> {}).header())
          .isInstanceOf(ReplyHeader.Success.class);
    }
    server.awaitQuiet();
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    ToyServer server = server(new ToyServer());
    assertThatThrownBy(
            () -> server.server.listen(InetAddress.getLoopbackAddress(), server.address.getPort()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot listen on")
        .hasMessageContaining(Integer.toString(server.address.getPort()));
  }
}
