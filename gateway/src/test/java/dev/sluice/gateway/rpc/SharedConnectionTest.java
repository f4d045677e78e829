package dev.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Users of one machine share a connection: none of them may wait for another. */
@Timeout(120)
class SharedConnectionTest {
  private static final int HELD_BACK = 1_001;
  private static final int OTHER = 1_002;

  private final ToyServer server;

  SharedConnectionTest() throws IOException {
    server = ToyServer.withJobPerUser(ToyServer.SETTINGS, ToyServer.unlimited(4));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void limit(long bytesPerSecond) {
    TbfLimit limit = new TbfLimit(TokenUnit.BYTES, Rate.perSecond(bytesPerSecond), 128 << 10);
    FlowMatch match = FlowMatch.ofJob(JobId.of("user-" + HELD_BACK));
    server.target.limit(List.of(new TbfRule("slow", match, limit, null)), System.nanoTime());
  }

  private static ByteBuffer call(int xid, int uid, int procedure, Consumer<XdrWriter> arguments) {
    return ToyClient.call(
        new CallHeader(
            xid,
            ToyProgram.PROGRAM,
            ToyProgram.VERSION,
            procedure,
            new Credential.Sys("node1", uid, 100)),
        arguments);
  }

  private static void send(ToyClient client, int xid, int uid, int bytes) throws IOException {
    byte[] contents = new byte[bytes];
    client.send(call(xid, uid, ToyProgram.WRITE, out -> out.writeOpaque(contents)));
  }

  /** How long calls of somebody else take, the slowest last; other replies are passed over. */
  private static long[] tripsNanos(ToyClient client, int calls) throws IOException {
    long[] trips = new long[calls];
    for (int i = 0; i < calls; i++) {
      int xid = 1_000_000 + i;
      long began = System.nanoTime();
      client.send(call(xid, OTHER, ToyProgram.ECHO, out -> out.writeOpaque(new byte[8])));
      int answered;
      do {
        answered = client.receive().header().xid();
      } while (answered != xid);
      trips[i] = System.nanoTime() - began;
    }
    Arrays.sort(trips);
    return trips;
  }

  @Test
  void nobodyWaitsBehindAnothersBacklog() throws Exception {
    limit(1_000_000);
    try (ToyClient client = server.connect()) {
      for (int i = 0; i < 4_000; i++) {
        send(client, i, HELD_BACK, 64 << 10);
      }
      long[] trips = tripsNanos(client, 200);
      assertThat(Duration.ofNanos(trips[100])).isLessThan(Duration.ofMillis(100));
      assertThat(Duration.ofNanos(trips[199])).isLessThan(Duration.ofSeconds(2));
      assertThat(server.server.statistics().heldBytes()).isLessThan(40 << 20);
    }
    server.awaitQuiet();
  }

  @Test
  void whoHasTooMuchUnderWayIsToldToComeLater() throws Exception {
    limit(1_000_000);
    try (ToyClient client = server.connect()) {
      for (int i = 0; i < 600; i++) {
        send(client, i, HELD_BACK, 64 << 10);
      }
      int later = 0;
      for (int i = 0; i < 60; i++) {
        later += client.receive().results().readInt() == ToyProgram.LATER ? 1 : 0;
      }
      assertThat(later).isPositive();
      assertThat(server.server.statistics().postponed()).isGreaterThanOrEqualTo(later);
    }
    server.awaitQuiet();
  }

  /** So many for each job. */
  private static final class FewSlots implements Slots {
    static final int OF_A_JOB = 24;
    final Map<JobId, Integer> kept = new ConcurrentHashMap<>();
    final AtomicInteger mostKept = new AtomicInteger();

    @Override
    public boolean mayKeepOne(JobId job) {
      return kept.getOrDefault(job, 0) < OF_A_JOB;
    }

    @Override
    public void keep(JobId job) {
      mostKept.accumulateAndGet(kept.merge(job, 1, Integer::sum), Math::max);
    }

    @Override
    public void release(JobId job) {
      kept.compute(
          job,
          (_, count) -> {
            assertThat(count).isPositive();
            return count == 1 ? null : count - 1;
          });
    }
  }

  @Test
  void callsThatWaitKeepTheirSlotsAndNoMoreThanTheirJobMay() throws Exception {
    limit(100_000);
    FewSlots slots = new FewSlots();
    server.program.slots = slots;
    try (ToyClient client = server.connect()) {
      tripsNanos(client, 1); // Then somebody else is there, too.
      for (int i = 0; i < 300; i++) {
        send(client, i, HELD_BACK, 64 << 10);
      }
      int later = 0;
      for (int i = 0; i < 300 - FewSlots.OF_A_JOB; i++) {
        later += client.receive().results().readInt() == ToyProgram.LATER ? 1 : 0;
      }
      assertThat(later).as("but for those that were served").isGreaterThan(250);
      assertThat(slots.mostKept).hasValue(FewSlots.OF_A_JOB);
      long[] trips = tripsNanos(client, 50);
      assertThat(Duration.ofNanos(trips[25])).isLessThan(Duration.ofMillis(100));
      assertThat(server.server.statistics().inFlight())
          .as("some of them wait at the target, the others to be told")
          .isBetween(1L, FewSlots.OF_A_JOB - 1L);
    }
    server.awaitQuiet();
    Eventually.await("all are given back", slots.kept::isEmpty, slots.kept::toString);
  }

  @Test
  void aCallThatTakesLongKeepsNobodyFromBeingRead() throws Exception {
    try (ToyClient client = server.connect()) {
      client.send(call(1, HELD_BACK, ToyProgram.SLEEP, out -> out.writeInt(900_000)));
      long[] trips = tripsNanos(client, 20);
      assertThat(Duration.ofNanos(trips[19])).isLessThan(Duration.ofMillis(600));
      assertThat(client.receive().header().xid()).isEqualTo(1);
    }
    server.awaitQuiet();
  }

  @Test
  void repliesThatWereGatheredDoNotWaitForACallThatTakesLong() throws Exception {
    try (ToyClient client = server.connect()) {
      ByteBuffer both = ByteBuffer.allocate(4_096);
      both.put(call(1, OTHER, ToyProgram.ECHO, out -> out.writeOpaque(new byte[8])));
      both.put(call(2, HELD_BACK, ToyProgram.SLEEP, out -> out.writeInt(900_000)));
      long began = System.nanoTime();
      client.send(both.flip());
      assertThat(client.receive().header().xid()).isEqualTo(1);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(600));
      assertThat(client.receive().header().xid()).isEqualTo(2);
    }
    server.awaitQuiet();
  }

  @Test
  void whatADeadConnectionLeftIsNotDone() throws Exception {
    limit(100_000);
    try (ToyClient client = server.connect()) {
      for (int i = 0; i < 20; i++) {
        send(client, i, HELD_BACK, 64 << 10);
      }
      Eventually.await("calls", () -> server.server.statistics().calls() == 20);
      client.channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    }
    Eventually.await("nothing held", () -> server.server.statistics().heldBytes() == 0);
    long before = server.program.served.get();
    assertThat(before).isLessThan(20);
    limit(1_000_000_000);
    try (ToyClient again = server.connect()) {
      send(again, 1, HELD_BACK, 64 << 10);
      assertThat(again.receive().header().xid()).isEqualTo(1);
    }
    assertThat(server.program.served.get()).isEqualTo(before + 1);
    server.awaitQuiet();
  }

  @Test
  void aCallThatIsRepeatedOnAnotherConnectionIsAnsweredThere() throws Exception {
    limit(100_000);
    try (ToyClient first = server.connect();
        ToyClient second = server.connect()) {
      // What is owed for this makes the next call wait.
      send(first, 1, HELD_BACK, 1 << 20);
      first.receive();
      server.target.limit(
          List.of(
              new TbfRule(
                  "still",
                  FlowMatch.ofJob(JobId.of("user-" + HELD_BACK)),
                  new TbfLimit(TokenUnit.OPERATIONS, Rate.perSecond(0), 1),
                  null)),
          System.nanoTime());
      first.send(call(7, HELD_BACK, ToyProgram.COUNT, _ -> {}));
      first.send(call(8, HELD_BACK, ToyProgram.COUNT, _ -> {}));
      Eventually.await("calls", () -> server.server.statistics().calls() == 3);
      second.send(call(8, HELD_BACK, ToyProgram.COUNT, _ -> {}));
      Eventually.await("duplicates", () -> server.server.statistics().duplicates() == 1);
      first.channel.close();
      server.target.limit(List.of(), System.nanoTime());
      ToyClient.Reply reply = second.receive();
      assertThat(reply.header().xid()).isEqualTo(8);
      int count = reply.results().readInt();
      second.send(call(8, HELD_BACK, ToyProgram.COUNT, _ -> {}));
      assertThat(second.receive().results().readInt()).isEqualTo(count);
    }
    server.awaitQuiet();
  }

  @Test
  void aCallThatWaitsAndIsSentAgainIsDoneOnce() throws Exception {
    limit(300_000);
    try (ToyClient client = server.connect()) {
      for (int i = 0; i < 5; i++) {
        send(client, i, HELD_BACK, 128 << 10);
      }
      send(client, 4, HELD_BACK, 128 << 10);
      Eventually.await("duplicates", () -> server.server.statistics().duplicates() == 1);
      limit(1_000_000_000);
      for (int i = 0; i < 5; i++) {
        client.receive();
      }
      tripsNanos(client, 1);
      assertThat(server.program.served.get()).isEqualTo(6);
    }
    server.awaitQuiet();
  }

  @Test
  void marksAloneTakeNoMemory() throws Exception {
    ToyClient[] marked = new ToyClient[200];
    for (int i = 0; i < marked.length; i++) {
      marked[i] = server.connect();
      marked[i].send(ByteBuffer.allocate(4).putInt(RecordMark.last(1 << 20)).flip());
    }
    try (ToyClient client = server.connect()) {
      send(client, 1, OTHER, 1 << 20);
      assertThat(client.receive().header().xid()).isEqualTo(1);
      assertThat(server.server.bufferBytes()).isLessThan(32 << 20);
    }
    for (ToyClient each : marked) {
      each.close();
    }
    server.awaitQuiet();
  }

  @Test
  void strangersAreTurnedAwayAtTheDoor() throws Exception {
    RpcServerSettings nobody =
        new RpcServerSettings(
            _ -> false, 10, 10, 64 << 20, Duration.ofSeconds(20), RpcServerSettings.IDLE);
    try (ToyServer closed = new ToyServer(nobody, ToyServer.unlimited(1));
        ToyClient client = closed.connect()) {
      assertThat(client.channel.read(ByteBuffer.allocate(4))).isNegative();
      Eventually.await("strangers", () -> closed.server.statistics().strangers() == 1);
    }
  }

  @Test
  void whoHasNothingToSayForLongIsEnded() throws Exception {
    RpcServerSettings hasty =
        new RpcServerSettings(
            _ -> true, 10, 10, 64 << 20, Duration.ofMillis(100), Duration.ofMillis(300));
    try (ToyServer other = new ToyServer(hasty, ToyServer.unlimited(1));
        ToyClient client = other.connect()) {
      client.call(ToyProgram.NULL, _ -> {});
      assertThat(client.channel.read(ByteBuffer.allocate(4))).isNegative();
      other.awaitQuiet();
    }
  }
}
