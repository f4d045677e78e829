package dev.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileHandles;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.PosixTree;
import dev.sluice.gateway.nfs3.Nfs3Program;
import dev.sluice.gateway.target.TargetService;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.rpc.ReplyHeader;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Large contents of files on their way from the disk to clients, good and bad ones. */
@Timeout(120)
class PipedReadsTest {
  private static final int FILE_BYTES = 3 << 20;
  private static final int READ_BYTES_MAX = 1 << 20;

  /** As many as a server has pipes, and some. */
  private static final int STALLED = 24;

  private int pipeEndsBefore;
  private PosixTree tree;
  private TargetService target;
  private RpcServer server;
  private InetSocketAddress address;
  private Path file;
  private byte[] handle;

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    pipeEndsBefore = openPipeEnds();
    Path exported = Files.createDirectory(directory.resolve("exported"));
    Path state = Files.createDirectory(directory.resolve("state"));
    file = exported.resolve("file");
    Files.write(file, pattern(0, FILE_BYTES));
    tree = PosixTree.open(1, exported, state, 16);
    HandleCodec handles = FileHandles.inDirectory(state);
    handle = handleOf("file", handles);
    Export export =
        new Export("/a", tree, "disk", false, Squash.of(Squash.Who.NONE), List.of(), false);
    target = new TargetService(ToyServer.unlimited(8), SchedulerKind.FIFO);
    server =
        new RpcServer(
            List.of(new Nfs3Program(new Exports(List.of(export)), handles)),
            (call, _, _) -> new Admission(Flow.of(jobOf(call), "disk"), target),
            new RpcServerSettings(200, 1 << 30, Duration.ofSeconds(20)));
    address = server.listen(InetAddress.getLoopbackAddress(), 0);
  }

  private static JobId jobOf(RpcCall call) {
    return JobId.of("user-" + ((Credential.Sys) call.credential()).uid());
  }

  private byte[] handleOf(String name, HandleCodec handles) throws Exception {
    try (var root = tree.open(tree.root())) {
      FileHandle found =
          tree.lookup(root, name.getBytes(StandardCharsets.UTF_8), Caller.ROOT).handle();
      ByteBuffer buffer = ByteBuffer.allocate(68);
      handles.write(found, new XdrWriter(buffer));
      return new XdrReader(buffer.flip()).readOpaque(64);
    }
  }

  /** Whatever clients did: when they are gone, nothing of theirs is left. */
  @AfterEach
  void end() throws Exception {
    Eventually.await(
        "nothing is in use",
        () ->
            server.statistics().connections() == 0
                && server.statistics().heldBytes() == 0
                && server.bufferBytes() == 0
                && server.pipes() == 0,
        () -> ": " + server.statistics() + ", " + server.pipes() + " pipes");
    server.close();
    target.close();
    tree.close();
    assertThat(openPipeEnds()).isLessThanOrEqualTo(pipeEndsBefore);
  }

  @Test
  void manyCallsAtOnceAreAnsweredEachWithItsOwn() throws Exception {
    RandomGenerator random = new SplittableRandom(1);
    try (ToyClient client = new ToyClient(address);
        ExecutorService sender = Executors.newSingleThreadExecutor()) {
      List<Range> ranges = new ArrayList<>();
      for (int i = 0; i < 150; i++) {
        ranges.add(Range.random(random));
      }
      Future<?> sent =
          sender.submit(() -> {
            for (int i = 0; i < ranges.size(); i++) {
              client.send(read(i, ranges.get(i)));
            }
            return null;
          });
      for (int i = 0; i < ranges.size(); i++) {
        ToyClient.Reply reply = client.receive();
        Range range = ranges.get(((ReplyHeader.Success) reply.header()).xid());
        byte[] contents = contents(reply);
        assertThat(contents).isEqualTo(pattern(range.offset, Math.min(range.end(), FILE_BYTES)));
      }
      sent.get();
    }
  }

  @Test
  void clientsThatTakeNoRepliesKeepNobodyFromReading() throws Exception {
    List<ToyClient> stalled = new ArrayList<>();
    try (ToyClient good = new ToyClient(address)) {
      for (int i = 0; i < STALLED; i++) {
        ToyClient client = new ToyClient(address);
        stalled.add(client);
        for (int j = 0; j < 8; j++) {
          client.send(read(j, new Range(0, READ_BYTES_MAX), 1_000 + i));
        }
      }
      Eventually.await("the pipes are taken", () -> server.pipes() >= STALLED);
      for (int i = 0; i < 10; i++) {
        good.send(read(i, new Range(4096, READ_BYTES_MAX)));
        assertThat(contents(good.receive())).isEqualTo(pattern(4096, 4096 + READ_BYTES_MAX));
      }
      // One of them goes on where it stopped, and gets all of it.
      ToyClient late = stalled.getFirst();
      for (int j = 0; j < 8; j++) {
        assertThat(contents(late.receive())).isEqualTo(pattern(0, READ_BYTES_MAX));
      }
    } finally {
      for (ToyClient client : stalled) {
        client.close();
      }
    }
  }

  /**
   * While a large reply is sent nothing waits on the socket, also not who receives the next call.
   */
  @Test
  void largeCallsThatComeInPiecesMeanwhileAreTaken() throws Exception {
    byte[] written = pattern(0, 100_000);
    try (ToyClient client = new ToyClient(address);
        ExecutorService sender = Executors.newSingleThreadExecutor()) {
      int rounds = 60;
      int calls = 4;
      Semaphore answered = new Semaphore(0);
      Future<?> sent =
          sender.submit(() -> {
            for (int i = 0; i < rounds; i++) {
              // Several at once, so that other threads send the replies.
              ByteBuffer batch = ByteBuffer.allocate(1_000 + written.length);
              for (int j = 1; j < calls; j++) {
                batch.put(read(calls * i + j, new Range(1 << 20, READ_BYTES_MAX)));
              }
              batch.put(write(calls * i, written)).flip();
              client.send(batch.slice(0, 5_000));
              answered.acquire(calls - 1);
              client.send(batch.position(5_000));
            }
            return null;
          });
      for (int i = 0; i < calls * rounds; i++) {
        ToyClient.Reply reply = client.receive();
        if (((ReplyHeader.Success) reply.header()).xid() % calls == 0) {
          assertThat(reply.results().readInt()).as("status").isZero();
        } else {
          assertThat(contents(reply)).isEqualTo(pattern(1 << 20, (1 << 20) + READ_BYTES_MAX));
          answered.release();
        }
      }
      sent.get();
    }
  }

  /** Files that change, clients that leave in the middle of a reply, and some that only read. */
  @Test
  void whateverHappensMeanwhileTheOthersGetWhatIsThere() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> others =
          List.of(
              threads.submit(() -> cutOff(done)),
              threads.submit(() -> leave(done, 1)),
              threads.submit(() -> leave(done, 2)));
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int seed = i;
        readers.add(threads.submit(() -> readWhatIsThere(seed)));
      }
      try {
        for (Future<?> reader : readers) {
          reader.get();
        }
      } finally {
        done.set(true);
      }
      for (Future<?> other : others) {
        other.get();
      }
    }
  }

  private Void cutOff(AtomicBoolean done) throws IOException {
    RandomGenerator random = new SplittableRandom(7);
    byte[] all = pattern(0, FILE_BYTES);
    try (RandomAccessFile local = new RandomAccessFile(file.toFile(), "rw")) {
      while (!done.get()) {
        local.setLength(random.nextInt(FILE_BYTES));
        local.seek(0);
        local.write(all);
      }
    }
    return null;
  }

  private Void leave(AtomicBoolean done, int seed) throws IOException {
    RandomGenerator random = new SplittableRandom(seed);
    ByteBuffer some = ByteBuffer.allocate(100_000);
    while (!done.get()) {
      try (ToyClient client = new ToyClient(address)) {
        for (int i = random.nextInt(4); i >= 0; i--) {
          client.send(read(i, Range.random(random)));
        }
        client.channel.read(some.clear().limit(1 + random.nextInt(some.capacity())));
      }
    }
    return null;
  }

  private Void readWhatIsThere(int seed) throws IOException {
    RandomGenerator random = new SplittableRandom(100L + seed);
    try (ToyClient client = new ToyClient(address)) {
      for (int i = 0; i < 60; i++) {
        Range range = Range.random(random);
        client.send(read(i, range));
        byte[] contents = contents(client.receive());
        byte[] written = pattern(range.offset, range.offset + contents.length);
        for (int j = 0; j < contents.length; j++) {
          if (contents[j] != written[j] && contents[j] != 0) {
            throw new AssertionError("nobody wrote what is at " + (range.offset + j));
          }
        }
      }
    }
    return null;
  }

  private record Range(int offset, int count) {
    /** Mostly as clients ask: at the beginning of a page. */
    static Range random(RandomGenerator random) {
      int offset = random.nextInt(FILE_BYTES);
      return new Range(
          random.nextInt(4) == 0 ? offset : offset & -4096, 1 + random.nextInt(READ_BYTES_MAX));
    }

    int end() {
      return offset + count;
    }
  }

  private ByteBuffer read(int xid, Range range) {
    return read(xid, range, 0);
  }

  private ByteBuffer read(int xid, Range range, int uid) {
    return ToyClient.call(
        new CallHeader(
            xid,
            Nfs3Procedure.PROGRAM,
            Nfs3Procedure.VERSION,
            Nfs3Procedure.READ.number(),
            new Credential.Sys("node1", uid, uid)),
        out -> out.writeOpaque(handle).writeLong(range.offset).writeInt(range.count));
  }

  private ByteBuffer write(int xid, byte[] contents) {
    return ToyClient.call(
        new CallHeader(
            xid,
            Nfs3Procedure.PROGRAM,
            Nfs3Procedure.VERSION,
            Nfs3Procedure.WRITE.number(),
            new Credential.Sys("node1", 0, 0)),
        out ->
            out.writeOpaque(handle)
                .writeLong(0)
                .writeInt(contents.length)
                .writeInt(0)
                .writeOpaque(contents));
  }

  private static byte[] contents(ToyClient.Reply reply) {
    XdrReader results = reply.results();
    assertThat(results.readInt()).as("status").isZero();
    results.skip(Nfs3Sizes.READ_RESULT_HEADER_BYTES - 2 * Integer.BYTES);
    byte[] contents = results.readOpaque(READ_BYTES_MAX);
    assertThat(results.remaining()).isZero();
    return contents;
  }

  /** What is written from one place of the file to another. */
  private static byte[] pattern(int from, int to) {
    byte[] pattern = new byte[Math.max(0, to - from)];
    for (int i = 0; i < pattern.length; i++) {
      int place = from + i;
      pattern[i] = (byte) (place ^ place >> 8 ^ place >> 16);
    }
    return pattern;
  }

  /** How many ends of pipes the process has open. */
  private static int openPipeEnds() throws IOException {
    int open = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : all) {
        try {
          open += Files.readSymbolicLink(each).toString().startsWith("pipe:") ? 1 : 0;
        } catch (NoSuchFileException _) {
          // It has been closed meanwhile.
        }
      }
    }
    return open;
  }
}
