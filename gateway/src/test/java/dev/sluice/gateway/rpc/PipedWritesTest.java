package dev.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
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
import dev.sluice.gateway.target.TargetSettings;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.rpc.ReplyHeader;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Large contents on their way from clients, good and bad ones, to the disk. */
@Timeout(120)
class PipedWritesTest {
  private static final int FILE_BYTES = 3 << 20;
  private static final int WRITE_BYTES_MAX = 1 << 20;

  /** As many pipes as one connection may have. */
  private static final int PIPES = 8;

  private final byte[] expected = new byte[FILE_BYTES];
  private PosixTree tree;
  private TargetService target;
  private RpcServer server;
  private InetSocketAddress address;
  private Path file;
  private byte[] handle;
  private int xid;

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    Path exported = Files.createDirectory(directory.resolve("exported"));
    Path state = Files.createDirectory(directory.resolve("state"));
    file = Files.write(exported.resolve("file"), expected);
    tree = PosixTree.open(1, exported, state, 16);
    HandleCodec handles = FileHandles.inDirectory(state);
    handle = handleOf("file", handles);
    Export export =
        new Export("/a", tree, "disk", false, Squash.of(Squash.Who.NONE), List.of(), false);
    target = new TargetService(ToyServer.unlimited(8), SchedulerKind.FIFO);
    server =
        new RpcServer(
            List.of(new Nfs3Program(new Exports(List.of(export)), handles)),
            (_, _, _) -> new Admission(Flow.of(JobId.of("job"), "disk"), target),
            new RpcServerSettings(200, 1 << 30, Duration.ofSeconds(20)));
    address = server.listen(InetAddress.getLoopbackAddress(), 0);
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
  }

  /** However a record is cut and whenever its pieces come: the file has what was sent. */
  @Test
  void whatWasSentIsWhatIsThere() throws Exception {
    try (ToyClient client = new ToyClient(address)) {
      SeededCases.forAll(
          EnduranceScale.of(150, 3_000),
          random -> {
            int count = 1 + random.nextInt(WRITE_BYTES_MAX);
            int offset = random.nextInt(FILE_BYTES - count);
            byte[] contents = new byte[count];
            random.nextBytes(contents);
            ByteBuffer record = write(offset, contents, count, 0);
            sendInPieces(
                client, random.nextInt(4) == 0 ? inFragments(record, random) : record, random);
            assertThat(status(client.receive())).isEqualTo(Nfs3Status.OK.code());
            System.arraycopy(contents, 0, expected, offset, count);
          });
      assertThat(Files.readAllBytes(file)).isEqualTo(expected);
    }
  }

  /** Pieces so small that a pipe has no room for all: what is in it is copied after all. */
  @Test
  void crumbsAreTakenToo() throws Exception {
    byte[] contents = new byte[WRITE_BYTES_MAX];
    new SplittableRandom(3).nextBytes(contents);
    try (ToyClient client = new ToyClient(address)) {
      ByteBuffer record = write(5, contents, contents.length, 0);
      while (record.hasRemaining()) {
        int piece = Math.min(301, record.remaining());
        client.send(record.slice(record.position(), piece));
        record.position(record.position() + piece);
      }
      assertThat(status(client.receive())).isEqualTo(Nfs3Status.OK.code());
    }
    System.arraycopy(contents, 0, expected, 5, contents.length);
    assertThat(Files.readAllBytes(file)).isEqualTo(expected);
  }

  /** Calls that wait keep their pipes, and those for whom none is left wait as well. */
  @Test
  void callsThatWaitKeepNoMoreThanTheirPart() throws Exception {
    target.close();
    Target crawling = new Target("disk", 1_000, TokenUnit.BYTES);
    target = new TargetService(new TargetSettings(crawling, true, 1), SchedulerKind.FIFO);
    try (ToyClient client = new ToyClient(address)) {
      byte[] contents = new byte[200_000];
      int calls = 2 * PIPES;
      for (int i = 0; i < calls; i++) {
        client.send(write(0, contents, contents.length, 0));
      }
      // The first may be served at once.
      Eventually.await("all others wait", () -> server.statistics().inFlight() >= calls - 1);
      assertThat(server.pipes()).isEqualTo(PIPES);
    }
  }

  @Test
  void whoLeavesInTheMiddleHasWrittenNothing() throws Exception {
    RandomGenerator random = new SplittableRandom(4);
    byte[] contents = new byte[WRITE_BYTES_MAX];
    random.nextBytes(contents);
    for (int i = 0; i < 20; i++) {
      try (ToyClient client = new ToyClient(address)) {
        ByteBuffer record = write(0, contents, contents.length, 0);
        client.send(record.limit(1 + random.nextInt(record.limit() - 1)));
      }
    }
    Eventually.await("they are gone", () -> server.statistics().connections() == 0);
    assertThat(Files.readAllBytes(file)).isEqualTo(expected);
  }

  /** What is refused leaves nothing behind, and the connection goes on with the next call. */
  @Test
  void whatIsRefusedIsPassedOver() throws Exception {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    byte[] contents = new byte[500_001];
    new SplittableRandom(5).nextBytes(contents);
    try (ToyClient client = new ToyClient(address)) {
      client.send(write(0, contents, contents.length, 4_711));
      assertThat(status(client.receive())).isEqualTo(Nfs3Status.ACCES.code());
      client.send(write(0, contents, contents.length - 1, 0));
      assertThat(client.receive().header()).isInstanceOf(ReplyHeader.GarbageArguments.class);
      client.send(write(-1, contents, contents.length, 0));
      assertThat(status(client.receive())).isEqualTo(Nfs3Status.FBIG.code());
      assertThat(Files.readAllBytes(file)).isEqualTo(expected);
      client.send(write(7, contents, contents.length, 0));
      assertThat(status(client.receive())).isEqualTo(Nfs3Status.OK.code());
    }
    System.arraycopy(contents, 0, expected, 7, contents.length);
    assertThat(Files.readAllBytes(file)).isEqualTo(expected);
  }

  private static void sendInPieces(ToyClient client, ByteBuffer record, RandomGenerator random)
      throws IOException {
    while (record.hasRemaining()) {
      int piece = Math.min(record.remaining(), 1 + random.nextInt(2 * WRITE_BYTES_MAX));
      client.send(record.slice(record.position(), piece));
      record.position(record.position() + piece);
    }
  }

  /** The same record in several fragments. */
  private static ByteBuffer inFragments(ByteBuffer record, RandomGenerator random) {
    record.position(RecordMark.BYTES);
    ByteBuffer cut = ByteBuffer.allocate(record.limit() + 100);
    while (record.hasRemaining()) {
      boolean isLast = cut.remaining() - record.remaining() < 20;
      int length = isLast ? record.remaining() : random.nextInt(record.remaining() + 1);
      isLast |= length == record.remaining();
      cut.putInt(isLast ? RecordMark.last(length) : length);
      cut.put(record.slice(record.position(), length));
      record.position(record.position() + length);
    }
    return cut.flip();
  }

  /** A WRITE that says so many bytes and has these. */
  private ByteBuffer write(long offset, byte[] contents, int count, int uid) {
    return ToyClient.call(
        new CallHeader(
            ++xid,
            Nfs3Procedure.PROGRAM,
            Nfs3Procedure.VERSION,
            Nfs3Procedure.WRITE.number(),
            new Credential.Sys("node1", uid, uid)),
        out ->
            out.writeOpaque(handle)
                .writeLong(offset)
                .writeInt(count)
                .writeInt(0)
                .writeOpaque(contents));
  }

  private static int status(ToyClient.Reply reply) {
    return reply.results().readInt();
  }
}
