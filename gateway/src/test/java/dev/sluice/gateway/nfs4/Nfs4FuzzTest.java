package dev.sluice.gateway.nfs4;

import static dev.sluice.gateway.nfs4.Nfs4Caller.bytes;
import static dev.sluice.gateway.nfs4.Nfs4Caller.op;
import static dev.sluice.gateway.nfs4.Nfs4Caller.putfh;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.MemoryHandles;
import dev.sluice.gateway.files.MemoryTree;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.gateway.nfs4.Nfs4Caller.Op;
import dev.sluice.gateway.nfs4.Nfs4Caller.OpenFile;
import dev.sluice.gateway.nfs4.state.ClientRecords;
import dev.sluice.gateway.nfs4.state.Figures;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import dev.sluice.gateway.nfs4.state.StateBounds;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Attribute;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What strangers, and clients with a session, may send. */
class Nfs4FuzzTest {
  private static final int CASES = EnduranceScale.of(100, 20_000);
  private static final int CALLS_PER_CASE = 50;
  private static final Nfs4Operation[] OPERATIONS = Nfs4Operation.values();
  private static final int[] TELLING = {0, 1, 2, 3, 4, 255, 1 << 20, -1, Integer.MAX_VALUE};
  private static final StateBounds BOUNDS =
      new StateBounds(8, 4, 16, 512, 1 << 20, 64, 128, 64, 128, 1);

  /**
   * Random and spoiled COMPOUNDs on a tree that changes under them: each ends with results that
   * take no more room than was asked for them, or with an {@link XdrException}. What is remembered
   * stays within its bounds, and no file is open but for those that are remembered as open.
   */
  @Test
  void noCompoundDoesHarm() {
    Set<Nfs4Status> seen = EnumSet.noneOf(Nfs4Status.class);
    SeededCases.forAll(
        CASES,
        random -> {
          MemoryTree tree = new MemoryTree(1);
          Exports exports =
              new Exports(
                  List.of(
                      new Export(
                          "/a/data",
                          tree,
                          "disk",
                          random.nextInt(8) == 0,
                          Squash.of(Squash.Who.ROOT),
                          List.of(),
                          false)));
          Nfs4States states =
              new Nfs4States(
                  BOUNDS,
                  Duration.ofSeconds(45).toNanos(),
                  ClientRecords.forgetful(),
                  7,
                  System.nanoTime());
          Nfs4Program program =
              new Nfs4Program(
                  exports,
                  new MemoryHandles(),
                  states,
                  Duration.ofSeconds(45),
                  new Timestamp(1, 2));
          Nfs4Caller client = new Nfs4Caller(program, "fuzz").begin(1);
          client.minorVersion = random.nextInt(1, 3);
          byte[] root = client.handle("/a/data");
          List<OpenFile> files = new ArrayList<>();
          files.add(new OpenFile(StateId.ANONYMOUS, root));
          for (int i = 0; i < CALLS_PER_CASE; i++) {
            call(client, root, files, random, seen);
            Figures figures = states.figures(System.nanoTime());
            assertThat(figures.opens() + figures.locks()).isLessThanOrEqualTo(128);
            assertThat(figures.clients()).isLessThanOrEqualTo(8);
            assertThat(tree.openNodes()).isEqualTo(figures.opens());
          }
        });
    if (Long.getLong("sluice.seed") == null) {
      assertThat(seen)
          .contains(
              Nfs4Status.OK,
              Nfs4Status.BADXDR,
              Nfs4Status.NOFILEHANDLE,
              Nfs4Status.NOTSUPP,
              Nfs4Status.BAD_STATEID,
              Nfs4Status.NOXATTR,
              Nfs4Status.NXIO,
              Nfs4Status.WRONG_TYPE,
              Nfs4Status.OP_ILLEGAL);
    }
  }

  private static void call(
      Nfs4Caller client,
      byte[] root,
      List<OpenFile> files,
      RandomGenerator random,
      Set<Nfs4Status> seen) {
    OpenFile file = files.get(random.nextInt(files.size()));
    List<Op> operations = new ArrayList<>();
    int used = client.sequence + (random.nextInt(8) == 0 ? random.nextInt(3) : 1);
    if (random.nextInt(16) > 0) {
      operations.add(client.sequence(used));
    }
    if (random.nextInt(8) > 0) {
      operations.add(putfh(random.nextInt(3) == 0 ? root : file.handle()));
    }
    if (random.nextInt(4) == 0) {
      operations.add(op(Nfs4Operation.SAVEFH));
      operations.add(putfh(files.get(random.nextInt(files.size())).handle()));
    }
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      operations.add(operation(client, file, random));
    }
    ByteBuffer arguments = client.arguments(operations);
    if (random.nextInt(3) == 0) {
      spoil(arguments, random);
    }
    try {
      Nfs4Status status = client.raw(arguments).status;
      seen.add(status);
    } catch (XdrException _) {
      // As the RPC layer will say.
    }
    // Whether the slot was used, and by which number, is the server's to know.
    client.sequence = used;
    if (client.call().status != Nfs4Status.OK) {
      client.sequence = used - 1;
      if (client.call().status != Nfs4Status.OK) {
        client.begin(random.nextLong());
        files.removeIf(known -> !known.state().isSpecial());
      }
    }
    if (files.size() < 6 && random.nextInt(4) == 0) {
      try {
        files.add(client.opened(root, "o", "f" + random.nextInt(4), 3, true));
      } catch (AssertionError _) {
        // A read-only export, or one too many.
      }
    }
  }

  static Op operation(Nfs4Caller client, OpenFile file, RandomGenerator random) {
    Nfs4Operation operation = OPERATIONS[random.nextInt(OPERATIONS.length)];
    return switch (operation) {
      case LOOKUP, REMOVE -> op(operation, out -> name(random, out));
      case RENAME ->
          op(
              operation,
              out -> {
                name(random, out);
                name(random, out);
              });
      case GETATTR, NVERIFY, VERIFY ->
          op(
              operation,
              out -> {
                new AttributeSet(random.nextLong(), random.nextInt(), false).write(out);
                if (operation != Nfs4Operation.GETATTR) {
                  out.writeOpaque(new byte[random.nextInt(40)]);
                }
              });
      case OPEN ->
          client.open(
              "o" + random.nextInt(3),
              "f" + random.nextInt(4),
              random.nextInt(4),
              random.nextInt(4),
              random.nextBoolean());
      case READ ->
          op(
              operation,
              out -> {
                file.state().write(out);
                out.writeLong(random.nextLong(100)).writeInt(telling(random));
              });
      case WRITE ->
          op(
              operation,
              out -> {
                file.state().write(out);
                out.writeLong(random.nextLong(100)).writeInt(random.nextInt(3));
                out.writeOpaque(new byte[random.nextInt(200)]);
              });
      case READDIR ->
          op(
              operation,
              out -> {
                out.writeLong(random.nextLong(4)).writeLong(0);
                out.writeInt(telling(random)).writeInt(telling(random));
                AttributeSet.of(Nfs4Attribute.TYPE, Nfs4Attribute.FILEHANDLE).write(out);
              });
      case SEEK, ALLOCATE, DEALLOCATE, IO_ADVISE ->
          op(
              operation,
              out -> {
                file.state().write(out);
                out.writeLong(place(random));
                if (operation == Nfs4Operation.SEEK) {
                  out.writeInt(random.nextInt(3));
                } else {
                  out.writeLong(place(random));
                }
                if (operation == Nfs4Operation.IO_ADVISE) {
                  new AttributeSet(random.nextLong(), 0, false).write(out);
                }
              });
      case COPY, CLONE ->
          op(
              operation,
              out -> {
                file.state().write(out);
                file.state().write(out);
                out.writeLong(place(random)).writeLong(place(random)).writeLong(place(random));
                if (operation == Nfs4Operation.COPY) {
                  out.writeBoolean(random.nextBoolean()).writeBoolean(random.nextBoolean());
                  out.writeInt(random.nextInt(8) == 0 ? telling(random) : 0);
                }
              });
      case GETXATTR, REMOVEXATTR -> op(operation, out -> name(random, out));
      case SETXATTR ->
          op(
              operation,
              out -> {
                out.writeInt(random.nextInt(4));
                name(random, out);
                out.writeOpaque(new byte[random.nextInt(random.nextInt(16) == 0 ? 70_000 : 200)]);
              });
      case LISTXATTRS ->
          op(operation, out -> out.writeLong(random.nextLong(4)).writeInt(telling(random)));
      case CLOSE ->
          op(
              operation,
              out -> {
                out.writeInt(0);
                file.state().write(out);
              });
      default ->
          op(
              operation,
              out -> {
                for (int i = random.nextInt(12); i > 0; i--) {
                  out.writeInt(telling(random));
                }
              });
    };
  }

  /** Near the beginning of a file, or where none reaches. */
  private static long place(RandomGenerator random) {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextLong();
      case 1 -> Long.MAX_VALUE - random.nextInt(3);
      default -> random.nextLong(200);
    };
  }

  private static void name(RandomGenerator random, XdrWriter out) {
    out.writeOpaque(bytes(random.nextInt(10) == 0 ? "x".repeat(300) : "f" + random.nextInt(4)));
  }

  private static int telling(RandomGenerator random) {
    return TELLING[random.nextInt(TELLING.length)];
  }

  static void spoil(ByteBuffer arguments, RandomGenerator random) {
    if (random.nextBoolean()) {
      arguments.limit(random.nextInt(arguments.limit() + 1));
    } else if (arguments.limit() >= Integer.BYTES) {
      int at = random.nextInt(arguments.limit() / Integer.BYTES) * Integer.BYTES;
      arguments.putInt(at, random.nextBoolean() ? telling(random) : random.nextInt());
    }
  }
}
