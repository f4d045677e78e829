package dev.sluice.gateway.nfs3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of a procedure, read as the RFC's result unions say and no other way: what is left
 * over, padding that is not zero, or a number without a meaning is an error.
 */
final class Reply {
  final Nfs3Status status;

  /** Of the file that the procedure is about, or that it found or made. */
  @Nullable Fattr object;

  /** Of the directory; for RENAME of the first. */
  @Nullable Fattr directory;

  /** Of the directory or the file before the change; for RENAME of the first. */
  @Nullable Before before;

  /** Of RENAME's second directory before the change. */
  @Nullable Before secondBefore;

  /** Of RENAME's second directory. */
  @Nullable Fattr secondDirectory;

  byte @Nullable [] handle;
  byte[] data = new byte[0];
  int count;
  boolean eof;
  int access;
  @Nullable StableHow committed;
  long verifier;
  final List<Entry> entries = new ArrayList<>();

  /** The numbers of FSSTAT, FSINFO and PATHCONF in their order. */
  final List<Long> numbers = new ArrayList<>();

  /** The size of a READDIR3resok or READDIRPLUS3resok. */
  int resultBytes;

  record Fattr(
      int type,
      int mode,
      int links,
      int uid,
      int gid,
      long size,
      long used,
      int major,
      int minor,
      long fileSystem,
      long fileNumber,
      Time accessed,
      Time modified,
      Time changed) {}

  record Before(long size, Time modified, Time changed) {}

  record Time(int seconds, int nanos) {}

  record Entry(
      long fileNumber,
      String name,
      long cookie,
      @Nullable Fattr attributes,
      @Nullable ByteBuffer handle) {}

  /** Reads the whole of a buffer. */
  Reply(Nfs3Procedure procedure, ByteBuffer results) {
    Strict in = new Strict(results);
    int whole = results.remaining();
    this.status = procedure == Nfs3Procedure.NULL ? Nfs3Status.OK : Nfs3Status.read(in.in);
    if (status == Nfs3Status.OK) {
      readOk(procedure, in, whole);
    } else {
      readFailure(procedure, in);
    }
    assertThat(results.remaining()).as("left over after %s %s", procedure, status).isZero();
  }

  private void readFailure(Nfs3Procedure procedure, Strict in) {
    switch (procedure) {
      case NULL, GETATTR -> {}
      case LOOKUP, READDIR, READDIRPLUS -> directory = in.postOp();
      case ACCESS, READLINK, READ, FSSTAT, FSINFO, PATHCONF -> object = in.postOp();
      case SETATTR, WRITE, COMMIT -> {
        before = in.before();
        object = in.postOp();
      }
      case CREATE, MKDIR, SYMLINK, MKNOD, REMOVE, RMDIR -> {
        before = in.before();
        directory = in.postOp();
      }
      case RENAME -> {
        before = in.before();
        directory = in.postOp();
        secondBefore = in.before();
        secondDirectory = in.postOp();
      }
      case LINK -> {
        object = in.postOp();
        before = in.before();
        directory = in.postOp();
      }
    }
  }

  private void readOk(Nfs3Procedure procedure, Strict in, int whole) {
    switch (procedure) {
      case NULL -> {}
      case GETATTR -> object = in.fattr();
      case SETATTR -> {
        before = in.before();
        object = in.postOp();
      }
      case LOOKUP -> {
        handle = in.opaque(64);
        object = in.postOp();
        directory = in.postOp();
      }
      case ACCESS -> {
        object = in.postOp();
        access = in.in.readInt();
        assertThat(access & ~0x3f).isZero();
      }
      case READLINK -> {
        object = in.postOp();
        data = in.opaque(4096);
      }
      case READ -> {
        object = in.postOp();
        count = in.in.readInt();
        eof = in.in.readBoolean();
        data = in.opaque(1 << 20);
        assertThat(data).hasSize(count);
      }
      case WRITE -> {
        {
          before = in.before();
          object = in.postOp();
        }
        count = in.in.readInt();
        committed = StableHow.read(in.in);
        verifier = in.in.readLong();
      }
      case CREATE, MKDIR, SYMLINK, MKNOD -> {
        handle = in.in.readBoolean() ? in.opaque(64) : null;
        object = in.postOp();
        before = in.before();
        directory = in.postOp();
      }
      case REMOVE, RMDIR -> {
        before = in.before();
        directory = in.postOp();
      }
      case RENAME -> {
        before = in.before();
        directory = in.postOp();
        secondBefore = in.before();
        secondDirectory = in.postOp();
      }
      case LINK -> {
        object = in.postOp();
        before = in.before();
        directory = in.postOp();
      }
      case READDIR, READDIRPLUS -> {
        resultBytes = whole - 4;
        directory = in.postOp();
        verifier = in.in.readLong();
        while (in.in.readBoolean()) {
          entries.add(in.entry(procedure == Nfs3Procedure.READDIRPLUS));
        }
        eof = in.in.readBoolean();
      }
      case FSSTAT -> {
        object = in.postOp();
        in.longs(numbers, 6);
        in.ints(numbers, 1);
      }
      case FSINFO -> {
        object = in.postOp();
        in.ints(numbers, 7);
        in.longs(numbers, 1);
        in.ints(numbers, 3);
      }
      case PATHCONF -> {
        object = in.postOp();
        in.ints(numbers, 2);
        for (int i = 0; i < 4; i++) {
          numbers.add(in.in.readBoolean() ? 1L : 0L);
        }
      }
      case COMMIT -> {
        {
          before = in.before();
          object = in.postOp();
        }
        verifier = in.in.readLong();
      }
    }
  }

  /** Reads what XDR leaves no choice about. */
  private static final class Strict {
    final XdrReader in;

    Strict(ByteBuffer buffer) {
      this.in = new XdrReader(buffer);
    }

    byte[] opaque(int lengthMax) {
      int start = in.position();
      byte[] bytes = in.readOpaque(lengthMax);
      for (int i = start + 4 + bytes.length; i < in.position(); i++) {
        if (in.buffer().get(i) != 0) {
          throw new XdrException("padding that is not zero");
        }
      }
      return bytes;
    }

    Fattr fattr() {
      Fattr read =
          new Fattr(
              in.readInt(),
              in.readInt(),
              in.readInt(),
              in.readInt(),
              in.readInt(),
              in.readLong(),
              in.readLong(),
              in.readInt(),
              in.readInt(),
              in.readLong(),
              in.readLong(),
              time(),
              time(),
              time());
      assertThat(read.type()).isBetween(1, 7);
      assertThat(read.mode() & ~07777).isZero();
      assertThat(read.size()).isNotNegative();
      return read;
    }

    @Nullable Fattr postOp() {
      return in.readBoolean() ? fattr() : null;
    }

    @Nullable Before before() {
      return in.readBoolean() ? new Before(in.readLong(), time(), time()) : null;
    }

    Time time() {
      Time time = new Time(in.readInt(), in.readInt());
      assertThat(time.nanos()).isBetween(0, 999_999_999);
      return time;
    }

    Entry entry(boolean plus) {
      long fileNumber = in.readLong();
      String name = new String(opaque(255), StandardCharsets.UTF_8);
      long cookie = in.readLong();
      Fattr attributes = plus ? postOp() : null;
      ByteBuffer handle = plus && in.readBoolean() ? ByteBuffer.wrap(opaque(64)) : null;
      return new Entry(fileNumber, name, cookie, attributes, handle);
    }

    void longs(List<Long> into, int count) {
      for (int i = 0; i < count; i++) {
        into.add(in.readLong());
      }
    }

    void ints(List<Long> into, int count) {
      for (int i = 0; i < count; i++) {
        into.add(Integer.toUnsignedLong(in.readInt()));
      }
    }
  }
}
