package dev.sluice.app.neighbours;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.app.endurance.GatewayProcess;
import dev.sluice.app.endurance.RawCall;
import dev.sluice.app.load.ThisUser;
import dev.sluice.load.client.Answers;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.play.Contents;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.EnduranceScale;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever is held back cannot take the memory that others need. */
@Timeout(300)
class MemorySharesTest {
  private static final Credential.Sys BYSTANDER = new Credential.Sys("node", 1_002, 1_002);
  private static final int THROTTLED_GROUP = 4_000;

  /** A write of each would fill the configured memory once and a half. */
  private static final int CONNECTIONS = EnduranceScale.of(400, 1_100);

  private static final int WRITE_BYTES = 1 << 20;
  private static final byte[] DATA = new byte[WRITE_BYTES];

  private static final int ROUNDS_MIN = 40;
  private static final int ROUNDS_MAX = 400;
  private static final double SECONDS_MAX = EnduranceScale.FULL ? 2 : 5;

  private static final String CONFIGURATION =
      """
      memory: 256 MiB
      targets: {disk: {capacity: 500 MB/s}}
      exports: {/export: {directory: export, privileged-ports: false}}
      limits:
        - {name: throttled, match: group=4000, rate: 100 kB/s}
      """;

  @TempDir private Path directory;

  @BeforeEach
  void needsRoot() throws IOException {
    assumeTrue(ThisUser.find().uid() == 0, "only root can serve several users");
  }

  @Test
  void manyConnectionsOfOneThrottledJobLeaveRoomForOthers() throws Exception {
    writeBeside("one throttled job", 1, _ -> 2_000);
  }

  @Test
  void manyThrottledJobsLeaveRoomForOthers() throws Exception {
    // The first three of each may pass at once, with what a job has saved up.
    writeBeside("throttled jobs of their own", 5, connection -> 2_000 + connection);
  }

  private void writeBeside(String who, int writesEach, IntUnaryOperator uid) throws Exception {
    try (GatewayProcess gateway = new GatewayProcess(directory, CONFIGURATION, List.of());
        NfsClient bystander = gateway.connect(BYSTANDER)) {
      Handle root = gateway.mount(BYSTANDER, "/export");
      Handle file = Answers.await(bystander.create(root, "file", 0666));
      Answers.await(bystander.setMode(file, 0666));
      Answers.await(write(bystander, file));
      List<SocketChannel> throttled = new ArrayList<>();
      try {
        long sentBytes = fill(gateway, file, writesEach, uid, throttled);
        double worstSeconds = 0;
        for (int i = 0; i < 5; i++) {
          long beganNanos = System.nanoTime();
          write(bystander, file).get(60, TimeUnit.SECONDS);
          worstSeconds = Math.max(worstSeconds, (System.nanoTime() - beganNanos) / 1e9);
        }
        System.out.printf(
            Locale.ROOT,
            "beside %d connections of %s with %d MB sent, a 1 MiB WRITE of a bystander takes at"
                + " most %.2f s; %d MB resident%n",
            throttled.size(),
            who,
            sentBytes / 1_000_000,
            worstSeconds,
            gateway.residentBytes() >> 20);
        assertThat(worstSeconds).isLessThan(SECONDS_MAX);
      } finally {
        for (SocketChannel channel : throttled) {
          channel.close();
        }
      }
      assertThat(gateway.isAlive()).isTrue();
    }
  }

  private static CompletableFuture<NfsClient.Written> write(NfsClient client, Handle file) {
    return client.write(file, 0, new Contents(1).piece(0, WRITE_BYTES), StableHow.UNSTABLE);
  }

  /** Sends writes on each of many connections, as far as the gateway takes them in. */
  private static long fill(
      GatewayProcess gateway,
      Handle file,
      int writesEach,
      IntUnaryOperator uid,
      List<SocketChannel> channels)
      throws IOException {
    List<ByteBuffer[]> left = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      SocketChannel channel = SocketChannel.open(gateway.nfsAddress());
      channels.add(channel);
      channel.configureBlocking(false);
      Credential.Sys caller = new Credential.Sys("node", uid.applyAsInt(i), THROTTLED_GROUP);
      left.add(writes(writesEach, caller, file, i * writesEach));
    }
    long sentBytes = 0;
    for (int round = 0; round < ROUNDS_MAX; round++) {
      long before = sentBytes;
      for (int i = 0; i < CONNECTIONS; i++) {
        sentBytes += channels.get(i).write(left.get(i));
      }
      if (round > ROUNDS_MIN && sentBytes == before) {
        break;
      }
      GatewayProcess.pauseMillis(10);
    }
    return sentBytes;
  }

  /** Heads of calls, each with the same data after it: all of them would not fit into memory. */
  private static ByteBuffer[] writes(int count, Credential.Sys caller, Handle file, int firstXid) {
    ByteBuffer[] writes = new ByteBuffer[2 * count];
    for (int i = 0; i < count; i++) {
      ByteBuffer whole =
          RawClient.writeRecord(
              firstXid + i, caller, RawCall.bytes(file), WRITE_BYTES, DATA, StableHow.UNSTABLE);
      byte[] head = new byte[whole.remaining() - WRITE_BYTES];
      whole.get(head);
      writes[2 * i] = ByteBuffer.wrap(head);
      writes[2 * i + 1] = ByteBuffer.wrap(DATA);
    }
    return writes;
  }
}
