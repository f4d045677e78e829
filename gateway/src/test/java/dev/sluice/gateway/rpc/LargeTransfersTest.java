package dev.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileHandles;
import dev.sluice.gateway.files.PosixTree;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.net.TcpListener;
import dev.sluice.gateway.nfs3.Nfs3Program;
import dev.sluice.gateway.target.TargetService;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As much at a time as there can be, from good clients and bad ones. */
@Timeout(120)
class LargeTransfersTest {
  private static final int MIB = 1 << 20;
  private static final TransferSize LARGE = new TransferSize(Nfs3Sizes.TRANSFER_BYTES_MAX);
  private static final int FILE_BYTES = 10 * MIB;
  private static final Duration PATIENT = Duration.ofSeconds(20);

  private final byte[] expected = new byte[FILE_BYTES];
  private Path exported;
  private Path state;
  private PosixTree tree;
  private TargetService target;
  private RpcServer server;
  private InetSocketAddress address;
  private Path file;
  private byte[] handle;
  private FileHandles handles;
  private int xid;

  @BeforeEach
  void begin(@TempDir Path directory) throws Exception {
    exported = Files.createDirectory(directory.resolve("exported"));
    state = Files.createDirectory(directory.resolve("state"));
    new Random(1).nextBytes(expected);
    file = Files.write(exported.resolve("file"), expected);
    tree = PosixTree.open(1, exported, state, 16);
    handles = FileHandles.inDirectory(state);
    handle = handleOf("file");
    target = new TargetService(ToyServer.unlimited(8), SchedulerKind.FIFO);
    serve(LARGE, 1 << 30, PATIENT);
  }

  /** Serves in place of whoever did. */
  private void serve(TransferSize transfers, long memoryBytes, Duration patience)
      throws IOException {
    if (server != null) {
      server.close();
    }
    Export export =
        new Export("/a", tree, "disk", false, Squash.of(Squash.Who.NONE), List.of(), false);
    server =
        new RpcServer(
            List.of(new Nfs3Program(new Exports(List.of(export)), handles, transfers)),
            (_, _, _) -> new Admission(Flow.of(JobId.of("job"), "disk"), target),
            new RpcServerSettings(
                _ -> true,
                200,
                200,
                memoryBytes,
                patience,
                RpcServerSettings.IDLE,
                transfers.bytesMax(),
                TcpListener.Ending.IN_ORDER));
    address = server.listen(InetAddress.getLoopbackAddress(), 0);
  }

  private byte[] handleOf(String name) throws Exception {
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

  /** Around every bound there is, at the beginning of a page and within one. */
  @ParameterizedTest
  @ValueSource(ints = {64 << 10, MIB, 4 * MIB})
  void asMuchIsMovedAsWasAgreedAndNoMore(int most) throws Exception {
    serve(new TransferSize(most), 1 << 30, PATIENT);
    int[] counts = {
      (64 << 10) - 1, 64 << 10, (64 << 10) + 1, MIB - 1, MIB, MIB + 1, 2 * MIB, 4 * MIB - 1, 4 * MIB
    };
    Random random = new Random(most);
    try (ToyClient client = new ToyClient(address)) {
      for (int count : counts) {
        for (int offset : new int[] {0, 1, 4_095, MIB + 4_097}) {
          byte[] contents = new byte[count];
          random.nextBytes(contents);
          client.send(write(offset, contents, contents.length));
          int moved = Math.min(count, most);
          assertThat(written(client.receive())).isEqualTo(moved);
          System.arraycopy(contents, 0, expected, offset, moved);
          client.send(read(offset, count));
          assertThat(contents(client.receive()))
              .isEqualTo(Arrays.copyOfRange(expected, offset, offset + moved));
        }
      }
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(expected);
  }

  /** A little more fits into a record: it is for another call. */
  @Test
  void whatIsBeyondTheMostIsForAnotherCall() throws Exception {
    byte[] contents = new byte[4 * MIB + 1];
    new Random(2).nextBytes(contents);
    try (ToyClient client = new ToyClient(address)) {
      client.send(write(3, contents, contents.length));
      assertThat(written(client.receive())).isEqualTo(4 * MIB);
      System.arraycopy(contents, 0, expected, 3, 4 * MIB);
      for (int count : new int[] {4 * MIB + 1, Integer.MAX_VALUE, -1}) {
        client.send(read(0, count));
        assertThat(contents(client.receive())).isEqualTo(Arrays.copyOf(expected, 4 * MIB));
      }
      client.send(read(FILE_BYTES - MIB, 4 * MIB));
      assertThat(contents(client.receive()))
          .as("to the end")
          .isEqualTo(Arrays.copyOfRange(expected, FILE_BYTES - MIB, FILE_BYTES));
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(expected);
  }

  /** However a record is cut and whenever its pieces come: the file has what was sent. */
  @Test
  void largeRecordsComeInAnyPieces() throws Exception {
    RandomGenerator random = new SplittableRandom(3);
    try (ToyClient client = new ToyClient(address)) {
      for (int i = 0; i < 24; i++) {
        int count = 4 * MIB - random.nextInt(i % 3 == 0 ? 4 * MIB : 5_000);
        int offset = random.nextInt(FILE_BYTES - count);
        byte[] contents = new byte[count];
        random.nextBytes(contents);
        ByteBuffer record = write(offset, contents, count);
        ByteBuffer sent =
            random.nextBoolean() ? inFragments(record, 1 + random.nextInt(9)) : record;
        while (sent.hasRemaining()) {
          int piece = Math.min(sent.remaining(), 1 + random.nextInt(3 * MIB));
          client.send(sent.slice(sent.position(), piece));
          sent.position(sent.position() + piece);
        }
        assertThat(written(client.receive())).isEqualTo(count);
        System.arraycopy(contents, 0, expected, offset, count);
      }
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(expected);
  }

  /** Pieces so small that a pipe has no room for all: what is in it is copied after all. */
  @Test
  void crumbsAreTakenToo() throws Exception {
    byte[] contents = new byte[4 * MIB];
    new SplittableRandom(4).nextBytes(contents);
    try (ToyClient client = new ToyClient(address)) {
      ByteBuffer record = write(5, contents, contents.length);
      while (record.hasRemaining()) {
        int piece = Math.min(601, record.remaining());
        client.send(record.slice(record.position(), piece));
        record.position(record.position() + piece);
      }
      assertThat(written(client.receive())).isEqualTo(contents.length);
    }
    System.arraycopy(contents, 0, expected, 5, contents.length);
    assertThat(Files.readAllBytes(file)).isEqualTo(expected);
  }

  @Test
  void whoLeavesInTheMiddleHasWrittenNothing() throws Exception {
    RandomGenerator random = new SplittableRandom(5);
    byte[] contents = new byte[4 * MIB];
    for (int i = 0; i < 20; i++) {
      try (ToyClient client = new ToyClient(address)) {
        ByteBuffer record = write(0, contents, contents.length);
        ByteBuffer sent = i % 2 == 0 ? record : inFragments(record, 5);
        client.send(sent.limit(1 + random.nextInt(sent.limit() - 1)));
      }
    }
    Eventually.await("they are gone", () -> server.statistics().connections() == 0);
    assertThat(Files.readAllBytes(file)).isEqualTo(expected);
  }

  /** What a mark says is believed to be sent, but not that it fits. */
  @Test
  void recordsThatAreTooLongEndTheirConnectionsAndNoOthers() throws Exception {
    try (ToyClient other = new ToyClient(address)) {
      for (int length : new int[] {RpcServer.RECORD_BYTES_MAX + 1, Integer.MAX_VALUE}) {
        assertEnded(ByteBuffer.allocate(4).putInt(RecordMark.last(length)).flip());
        assertEnded(ByteBuffer.allocate(4).putInt(length).flip());
      }
      // The first fragment fits, the second does not.
      ByteBuffer record = write(0, new byte[4 * MIB], 4 * MIB);
      ByteBuffer cut = ByteBuffer.allocate(record.limit() + 4);
      cut.putInt(record.limit() - RecordMark.BYTES).put(record.position(RecordMark.BYTES));
      assertEnded(cut.putInt(RecordMark.last(8 << 10)).flip());
      // One that says that it has a mebibyte to write gets no more room than that needs.
      ByteBuffer less = inFragments(write(0, new byte[2 * MIB], MIB), 40);
      assertEnded(less);
      other.send(read(0, 100));
      assertThat(contents(other.receive())).isEqualTo(Arrays.copyOf(expected, 100));
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(expected);
  }

  private void assertEnded(ByteBuffer sent) throws IOException {
    try (ToyClient client = new ToyClient(address)) {
      assertThatThrownBy(
              () -> {
                client.send(sent);
                client.receive();
              })
          .isInstanceOf(IOException.class);
    }
  }

  /** How long a record in fragments is shows at its end; what it says first is believed so far. */
  @Test
  void fragmentsHoldWhatTheyNeed() throws Exception {
    try (ToyClient client = new ToyClient(address)) {
      ByteBuffer record = inFragments(write(0, new byte[MIB], MIB), 20);
      client.send(record.slice(0, record.limit() / 2));
      Eventually.await("it is held", () -> server.statistics().heldBytes() > MIB);
      assertThat(server.statistics().heldBytes()).isLessThan(2 * MIB);
      client.send(record.position(record.limit() / 2));
      assertThat(written(client.receive())).isEqualTo(MIB);
    }
    Arrays.fill(expected, 0, MIB, (byte) 0);
    assertThat(Files.readAllBytes(file)).isEqualTo(expected);
  }

  /** Memory is not held for four times as long because four times as much was announced. */
  @Test
  void whoTricklesIsGivenUp() throws Exception {
    serve(LARGE, 1 << 30, Duration.ofMillis(300));
    try (ToyClient client = new ToyClient(address)) {
      ByteBuffer record = write(0, new byte[4 * MIB], 4 * MIB);
      assertThatThrownBy(
              () -> {
                while (record.hasRemaining()) {
                  int piece = Math.min(32 << 10, record.remaining());
                  client.send(record.slice(record.position(), piece));
                  record.position(record.position() + piece);
                  TimePasses.forMillis(100);
                }
              })
          .isInstanceOf(IOException.class);
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(expected);
  }

  /** Whoever comes when all memory is taken waits, or is told to come later, and is served. */
  @Test
  void manyShareLittleMemory() throws Exception {
    serve(LARGE, RpcServerSettings.MEMORY_BYTES_MIN, PATIENT);
    int clients = 6;
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      for (int i = 0; i < clients; i++) {
        byte[] contents = new byte[4 * MIB];
        Arrays.fill(contents, (byte) i);
        List<ByteBuffer> records =
            List.of(write(MIB, contents, contents.length), read(MIB, 4 * MIB));
        running.add(
            threads.submit(() -> {
              try (ToyClient client = new ToyClient(address)) {
                for (int j = 0; j < 10; j++) {
                  ByteBuffer record = records.get(j % 2);
                  while (true) {
                    client.send(record.duplicate());
                    XdrReader results = client.receive().results();
                    assertThat(server.statistics().heldBytes())
                        .isLessThanOrEqualTo(RpcServerSettings.MEMORY_BYTES_MIN);
                    int status = results.readInt();
                    if (status != Nfs3Status.JUKEBOX.code()) {
                      assertThat(status).isEqualTo(Nfs3Status.OK.code());
                      break;
                    }
                  }
                }
              }
              return null;
            }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  /** The same record in so many fragments. */
  private static ByteBuffer inFragments(ByteBuffer record, int fragments) {
    record.position(RecordMark.BYTES);
    ByteBuffer cut = ByteBuffer.allocate(record.limit() + 4 * fragments);
    int length = record.remaining() / fragments;
    for (int i = 1; i < fragments; i++) {
      cut.putInt(length).put(record.slice(record.position(), length));
      record.position(record.position() + length);
    }
    return cut.putInt(RecordMark.last(record.remaining())).put(record).flip();
  }

  /** A WRITE that says so many bytes and has these. */
  private ByteBuffer write(long offset, byte[] contents, int count) {
    return ToyClient.call(
        header(Nfs3Procedure.WRITE),
        out ->
            out.writeOpaque(handle)
                .writeLong(offset)
                .writeInt(count)
                .writeInt(0)
                .writeInt(count)
                .writeFixedOpaque(contents));
  }

  private ByteBuffer read(long offset, int count) {
    return ToyClient.call(
        header(Nfs3Procedure.READ),
        out -> out.writeOpaque(handle).writeLong(offset).writeInt(count));
  }

  private CallHeader header(Nfs3Procedure procedure) {
    return new CallHeader(
        ++xid,
        Nfs3Procedure.PROGRAM,
        Nfs3Procedure.VERSION,
        procedure.number(),
        new Credential.Sys("node1", 0, 0));
  }

  private static int written(ToyClient.Reply reply) {
    XdrReader in = reply.results();
    assertThat(in.readInt()).isEqualTo(Nfs3Status.OK.code());
    if (in.readBoolean()) {
      in.skip(3 * Long.BYTES);
    }
    if (in.readBoolean()) {
      in.skip(Nfs3Sizes.ATTRIBUTES_BYTES);
    }
    return in.readInt();
  }

  private static byte[] contents(ToyClient.Reply reply) {
    XdrReader in = reply.results();
    assertThat(in.readInt()).isEqualTo(Nfs3Status.OK.code());
    assertThat(in.readBoolean()).isTrue();
    in.skip(Nfs3Sizes.ATTRIBUTES_BYTES + 2 * Integer.BYTES);
    return in.readOpaque(4 * MIB);
  }
}
