package dev.sluice.gateway.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.export.Squash;
import dev.sluice.gateway.files.MemoryHandles;
import dev.sluice.gateway.files.MemoryTree;
import dev.sluice.gateway.nfs3.Nfs3Caller.Change;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.nfs.nfs3.CreateMode;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.testkit.SeededCases;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What strangers may send. */
class Nfs3FuzzTest {
  private static final int CASES = 1_000;
  private static final int CALLS_PER_CASE = 100;
  private static final Nfs3Procedure[] PROCEDURES = Nfs3Procedure.values();

  private static final int[] TELLING = {
    0,
    1,
    2,
    3,
    7,
    8,
    64,
    65,
    255,
    256,
    4_095,
    1 << 20,
    (1 << 20) + 1,
    1 << 30,
    -1,
    -2,
    -4,
    Integer.MIN_VALUE,
    Integer.MAX_VALUE
  };

  /**
   * Mutated and truncated arguments, to every procedure, on a tree that changes under them: each
   * call ends with results that can be read and take no more room than was asked for them, or with
   * an {@link XdrException} and no effect. No file stays open.
   */
  @Test
  void noArgumentsDoHarm() {
    Map<Nfs3Procedure, Set<Nfs3Status>> seen = new EnumMap<>(Nfs3Procedure.class);
    for (Nfs3Procedure procedure : PROCEDURES) {
      seen.put(procedure, EnumSet.noneOf(Nfs3Status.class));
    }
    int[] unreadable = new int[1];
    SeededCases.forAll(
        CASES,
        random -> {
          MemoryTree tree = new MemoryTree(1);
          MemoryHandles handles = new MemoryHandles();
          Exports exports =
              new Exports(
                  List.of(
                      new Export(
                          "/data",
                          tree,
                          "disk",
                          random.nextInt(8) == 0,
                          Squash.of(Squash.Who.ROOT),
                          List.of(),
                          false)));
          Nfs3Caller nfs = new Nfs3Caller(new Nfs3Program(exports, handles), handles);
          byte[][] known = populate(nfs, nfs.bytes(tree.root()));
          for (int i = 0; i < CALLS_PER_CASE; i++) {
            Nfs3Procedure procedure = PROCEDURES[random.nextInt(PROCEDURES.length)];
            byte[] first = known[random.nextInt(known.length)];
            byte[] second = known[random.nextInt(known.length)];
            ByteBuffer arguments =
                spoiled(Nfs3Caller.anyArguments(procedure, first, second), random);
            int writes = tree.writes();
            try {
              Work work = nfs.inspect(procedure, arguments);
              Objects.requireNonNull(seen.get(procedure))
                  .add(nfs.serve(procedure, work, arguments).status);
            } catch (XdrException _) {
              unreadable[0]++;
              assertThat(tree.writes()).as("no effect").isEqualTo(writes);
            }
            assertThat(tree.openNodes()).isZero();
          }
        });

    if (Long.getLong("sluice.seed") == null) {
      assertThat(unreadable[0]).isBetween(CASES * CALLS_PER_CASE / 20, CASES * CALLS_PER_CASE / 2);
      assertThat(seen.get(Nfs3Procedure.NULL)).containsExactly(Nfs3Status.OK);
      for (Nfs3Procedure procedure : PROCEDURES) {
        if (procedure != Nfs3Procedure.NULL) {
          assertThat(seen.get(procedure))
              .as(procedure.toString())
              .contains(Nfs3Status.OK, Nfs3Status.BADHANDLE);
        }
      }
    }
  }

  private static byte[][] populate(Nfs3Caller nfs, byte[] root) {
    byte[] directory = made(nfs.mkdir(root, "directory", new Change().mode(0777)));
    byte[] file = made(nfs.create(directory, "name", CreateMode.GUARDED, new Change()));
    nfs.write(file, 0, StableHow.UNSTABLE, new byte[777]);
    byte[] link = made(nfs.symlink(root, "link", "somewhere"));
    for (int i = 0; i < 30; i++) {
      nfs.create(directory, "file-" + i, CreateMode.GUARDED, new Change());
    }
    return new byte[][] {root, directory, file, link};
  }

  private static byte[] made(Reply reply) {
    // On a read-only export there is nothing but the root.
    return reply.handle == null ? new byte[] {1, 2, 3} : reply.handle;
  }

  /** Left alone, cut, lengthened, or with some of its numbers replaced by ones that matter. */
  private static ByteBuffer spoiled(ByteBuffer arguments, RandomGenerator random) {
    byte[] bytes = new byte[arguments.remaining() + 16];
    arguments.get(bytes, 0, arguments.remaining());
    int length = bytes.length - 16;
    int kind = random.nextInt(8);
    if (kind == 0) {
      length = random.nextInt(length + 1);
    } else if (kind == 1) {
      length += random.nextInt(16);
    } else if (kind < 7 && length > 0) {
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        int at = random.nextInt(length);
        if (random.nextBoolean()) {
          bytes[at] = (byte) random.nextInt();
        } else {
          int number = TELLING[random.nextInt(TELLING.length)];
          ByteBuffer.wrap(bytes).putInt(at & -4, number);
        }
      }
    }
    return ByteBuffer.allocateDirect(length).put(bytes, 0, length).flip();
  }
}
