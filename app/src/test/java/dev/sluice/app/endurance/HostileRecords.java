package dev.sluice.app.endurance;

import dev.sluice.nfs.nfs3.MountProcedure;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Records that a gateway should survive: noise, calls cut short, calls with a few wrong bytes or
 * numbers, and proper calls that ask for what they should not get.
 */
final class HostileRecords {
  /** No record is longer, with its marks. */
  static final int BYTES_MAX = 128 << 10;

  private static final int LAST_FRAGMENT = 0x8000_0000;
  private static final int MOUNT_PROCEDURES = 6;
  private static final int NFS_PROCEDURES = 22;

  /** Numbers at which arithmetic goes wrong. */
  private static final int[] EDGES = {
    0,
    1,
    3,
    4,
    5,
    63,
    64,
    65,
    255,
    256,
    1 << 16,
    1 << 20,
    (1 << 20) + 1,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    -1,
    -2,
    -4
  };

  private static final List<String> NAMES =
      List.of(
          "plain",
          "directory",
          "inner",
          "link-up",
          "link-absolute",
          "link-directory",
          "..",
          ".",
          "",
          "/",
          "../outside",
          "../outside/canary",
          "link-directory/canary",
          "/etc/passwd",
          "a/b",
          "nul\0byte",
          "x".repeat(255),
          "x".repeat(256),
          "\u00e4\u00f6\u00fc",
          "@1",
          "new-1",
          "new-2",
          "new-3");

  private static final List<String> PATHS =
      List.of(
          "/export",
          "/@7/export",
          "/export/..",
          "/@7/export/../../outside",
          "/@/export",
          "/@../export",
          "/",
          "",
          "/outside",
          "//export",
          "/export/directory",
          "/@" + "7".repeat(900) + "/export");

  private final RandomGenerator random;
  private final List<byte[]> handles;

  /**
   * Draws from {@code random}.
   *
   * @param handles of files that are there, so that proper calls do something
   */
  HostileRecords(RandomGenerator random, List<byte[]> handles) {
    this.random = random;
    this.handles = handles;
  }

  /** Puts one more record into a buffer with room for {@link #BYTES_MAX}. */
  void writeNext(ByteBuffer out) {
    ByteBuffer body = ByteBuffer.allocate(BYTES_MAX - (1 << 10));
    switch (random.nextInt(10)) {
      case 0 -> writeNoise(body, random.nextInt(2_000));
      case 1, 2, 3 -> writeCall(body);
      case 4, 5, 6, 7 -> {
        writeCall(body);
        mutate(body);
      }
      case 8 -> {
        writeCall(body);
        body.position(random.nextInt(body.position() + 1));
      }
      default -> {
        writeCall(body);
        mutate(body);
        body.position(random.nextInt(body.position() + 1));
      }
    }
    body.flip();
    if (random.nextInt(2_000) == 0) {
      // A mark that promises more than ever comes, or more than anybody may send.
      out.putInt(random.nextBoolean() ? edge() : LAST_FRAGMENT | random.nextInt(4 << 20));
    } else if (random.nextInt(10) == 0) {
      writeInFragments(body, out);
    } else {
      out.putInt(LAST_FRAGMENT | body.remaining()).put(body);
    }
  }

  private void writeInFragments(ByteBuffer body, ByteBuffer out) {
    for (int i = random.nextInt(5); i > 0; i--) {
      int length = random.nextInt(body.remaining() + 1);
      out.putInt(length).put(body.slice(body.position(), length));
      body.position(body.position() + length);
    }
    out.putInt(LAST_FRAGMENT | body.remaining()).put(body);
  }

  private void writeNoise(ByteBuffer out, int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    out.put(noise);
  }

  /** Changes some bytes, or numbers, which is what goes deeper. */
  private void mutate(ByteBuffer call) {
    int length = call.position();
    for (int i = 1 + random.nextInt(4); i > 0 && length >= Integer.BYTES; i--) {
      if (random.nextBoolean()) {
        call.put(random.nextInt(length), (byte) random.nextInt());
      } else {
        call.putInt(random.nextInt(length / Integer.BYTES) * Integer.BYTES, edge());
      }
    }
  }

  private int edge() {
    return EDGES[random.nextInt(EDGES.length)];
  }

  private void writeCall(ByteBuffer out) {
    Credential.Sys caller = new Credential.Sys("fuzz", 1 + random.nextInt(3), 1);
    boolean mount = random.nextInt(12) == 0;
    int program = mount ? MountProcedure.PROGRAM : Nfs3Procedure.PROGRAM;
    int procedure = random.nextInt(mount ? MOUNT_PROCEDURES : NFS_PROCEDURES);
    RawCall.write(
        new XdrWriter(out),
        random.nextInt(),
        program,
        procedure,
        caller,
        arguments -> {
          if (mount) {
            writeMountArguments(arguments);
          } else {
            writeNfsArguments(arguments, procedure);
          }
        });
  }

  private void writeMountArguments(XdrWriter out) {
    out.writeOpaque(PATHS.get(random.nextInt(PATHS.size())).getBytes(StandardCharsets.UTF_8));
  }

  private void writeNfsArguments(XdrWriter out, int procedure) {
    switch (Nfs3Procedure.of(procedure)) {
      case NULL -> {}
      case GETATTR, READLINK, FSSTAT, FSINFO, PATHCONF -> writeHandle(out);
      case SETATTR -> {
        writeHandle(out);
        writeAttributes(out);
        out.writeBoolean(false);
      }
      case LOOKUP, REMOVE, RMDIR -> writePlace(out);
      case ACCESS -> {
        writeHandle(out);
        out.writeInt(random.nextInt(64));
      }
      case READ -> {
        writeHandle(out);
        out.writeLong(offset()).writeInt(random.nextInt(8) == 0 ? edge() : random.nextInt(8_192));
      }
      case WRITE -> writeWrite(out);
      case CREATE -> writeCreate(out);
      case MKDIR -> {
        writePlace(out);
        writeAttributes(out);
      }
      case SYMLINK -> {
        writePlace(out);
        writeAttributes(out);
        writeName(out);
      }
      case MKNOD -> {
        writePlace(out);
        out.writeInt(1 + random.nextInt(8));
        writeAttributes(out);
        out.writeInt(random.nextInt(300)).writeInt(random.nextInt(300));
      }
      case RENAME -> {
        writePlace(out);
        writePlace(out);
      }
      case LINK -> {
        writeHandle(out);
        writePlace(out);
      }
      case READDIR -> writeListing(out, 1);
      case READDIRPLUS -> writeListing(out, 2);
      case COMMIT -> {
        writeHandle(out);
        out.writeLong(offset()).writeInt(edge());
      }
      case null -> throw new IllegalStateException("there is no procedure " + procedure);
    }
  }

  private void writeWrite(XdrWriter out) {
    byte[] data = new byte[random.nextInt(20) == 0 ? random.nextInt(64 << 10) : 100];
    writeHandle(out);
    out.writeLong(offset()).writeInt(data.length).writeInt(random.nextInt(3)).writeOpaque(data);
  }

  private void writeCreate(XdrWriter out) {
    writePlace(out);
    int how = random.nextInt(3);
    out.writeInt(how);
    if (how == 2) {
      out.writeLong(random.nextLong());
    } else {
      writeAttributes(out);
    }
  }

  private void writeListing(XdrWriter out, int counts) {
    writeHandle(out);
    out.writeLong(random.nextInt(4)).writeLong(0);
    for (int i = 0; i < counts; i++) {
      out.writeInt(random.nextInt(4) == 0 ? edge() : 4_096);
    }
  }

  /** Now and then one that is forged: a real one with a byte changed, or of another length. */
  private void writeHandle(XdrWriter out) {
    byte[] handle = handles.get(random.nextInt(handles.size())).clone();
    switch (random.nextInt(12)) {
      case 0 -> handle[random.nextInt(handle.length)] ^= (byte) (1 << random.nextInt(8));
      case 1 -> {
        handle = new byte[random.nextInt(80)];
        random.nextBytes(handle);
      }
      default -> {}
    }
    out.writeOpaque(handle);
  }

  private void writePlace(XdrWriter out) {
    writeHandle(out);
    writeName(out);
  }

  private void writeName(XdrWriter out) {
    out.writeOpaque(NAMES.get(random.nextInt(NAMES.size())).getBytes(StandardCharsets.UTF_8));
  }

  private void writeAttributes(XdrWriter out) {
    writeOptional(out, random.nextInt(1 << 12));
    writeOptional(out, random.nextInt(3));
    writeOptional(out, random.nextInt(3));
    boolean size = random.nextInt(4) == 0;
    out.writeBoolean(size);
    if (size) {
      out.writeLong(offset());
    }
    for (int i = 0; i < 2; i++) {
      int how = random.nextInt(3);
      out.writeInt(how);
      if (how == 2) {
        out.writeInt(random.nextInt()).writeInt(edge());
      }
    }
  }

  private void writeOptional(XdrWriter out, int value) {
    boolean there = random.nextInt(3) == 0;
    out.writeBoolean(there);
    if (there) {
      out.writeInt(value);
    }
  }

  /** Mostly small: what is written there takes room on a real disk. */
  private long offset() {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextLong();
      case 1 -> Long.MAX_VALUE - random.nextInt(10_000);
      case 2 -> -1L - random.nextInt(10_000);
      default -> random.nextInt(1 << 20);
    };
  }
}
