package dev.sluice.gateway.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileHandlesTest {
  @TempDir private Path directory;

  @Test
  void whatIsWrittenIsReadBackAndFits() {
    SeededCases.forAll(
        2_000,
        random -> {
          FileHandles handles = new FileHandles(bytes(random, 16));
          FileHandle handle = handle(random);
          byte[] wire = wire(handles, handle);

          // Twice: the second time it is remembered.
          for (int i = 0; i < 2; i++) {
            FileHandle read = Objects.requireNonNull(read(handles, wire));
            assertThat(read).isEqualTo(handle);
            assertThat(read.claimedJob()).isEqualTo(handle.claimedJob());
            assertThat(read.exportId()).isEqualTo(handle.exportId());
            assertThat(read.fileId()).isEqualTo(handle.fileId());
          }
          assertThat(wire).hasSizeLessThanOrEqualTo(4 + Nfs3Procedure.HANDLE_BYTES_MAX);
        });
  }

  @Test
  void anyBitThatIsFlippedIsFoundOut() {
    SeededCases.forAll(
        50,
        random -> {
          FileHandles handles = new FileHandles(bytes(random, 16));
          byte[] wire = wire(handles, handle(random));
          int length = ByteBuffer.wrap(wire).getInt();
          read(handles, wire);
          for (int bit = 0; bit < 8 * length; bit++) {
            byte[] forged = wire.clone();
            forged[4 + bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(read(handles, forged)).as("bit %d", bit).isNull();
          }
        });
  }

  @Test
  void handlesUnderAnotherKeyOrOfAnotherLengthAreRefused() {
    SeededCases.forAll(
        1_000,
        random -> {
          byte[] key = bytes(random, 16);
          byte[] other = key.clone();
          other[random.nextInt(16)] ^= (byte) (1 << random.nextInt(8));
          byte[] wire = wire(new FileHandles(key), handle(random));
          assertThat(read(new FileHandles(other), wire)).isNull();

          int length = random.nextInt(Nfs3Procedure.HANDLE_BYTES_MAX + 1);
          byte[] cut = new byte[4 + XdrReader.padded(length)];
          System.arraycopy(wire, 0, cut, 0, Math.min(wire.length, cut.length));
          boolean same = ByteBuffer.wrap(wire).getInt() == length;
          ByteBuffer.wrap(cut).putInt(length);
          assertThat(read(new FileHandles(key), cut) != null).isEqualTo(same);
        });
  }

  @Test
  void noiseIsNeverAHandle() {
    FileHandles handles = new FileHandles(new byte[16]);
    SeededCases.forAll(
        10_000,
        random -> {
          ByteBuffer wire = ByteBuffer.allocate(random.nextInt(80));
          wire.put(bytes(random, wire.capacity())).flip();
          if (wire.capacity() >= 4 && random.nextBoolean()) {
            wire.putInt(0, random.nextInt(Nfs3Procedure.HANDLE_BYTES_MAX + 1));
          }
          try {
            assertThat(handles.read(new XdrReader(wire))).isNull();
          } catch (XdrException broken) {
            assertThat(broken).hasMessageContaining("expected");
          }
        });
  }

  @Test
  void theReaderIsLeftBehindTheHandleWhetherItIsOursOrNot() {
    FileHandles handles = new FileHandles(new byte[16]);
    byte[] wire = wire(handles, new FileHandle(1, JobId.of("4711"), new byte[] {1, 2, 3}));
    for (int flip = 0; flip < 2; flip++) {
      XdrReader reader = new XdrReader(ByteBuffer.allocate(80).put(wire).putInt(77).flip());
      handles.read(reader);
      assertThat(reader.readInt()).isEqualTo(77);
      wire[10] ^= 1;
    }
  }

  @Test
  void jobsThatDoNotFitAreToldApart() {
    assertThat(FileHandles.fits(JobId.of("1234567890123456"))).isTrue();
    assertThat(FileHandles.fits(JobId.of("12345678901234567"))).isFalse();
    assertThat(FileHandles.fits(JobId.of("ääääääää"))).isTrue();
    assertThat(FileHandles.fits(JobId.of("äääääääää"))).isFalse();
    FileHandle tooLong = new FileHandle(1, JobId.of("12345678901234567"), new byte[] {1});
    assertThatThrownBy(() -> wire(new FileHandles(new byte[16]), tooLong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("16 bytes and a file id of 34, not for 17 and 1");
  }

  @Test
  void theKeySurvivesARestartAndIsItsOwnersAlone() throws IOException {
    byte[] wire = wire(FileHandles.inDirectory(directory), new FileHandle(1, null, new byte[9]));

    assertThat(read(FileHandles.inDirectory(directory), wire)).isNotNull();
    Path key = directory.resolve("handle.key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
    assertThat(directory.toFile().list()).containsExactly("handle.key");
    Files.delete(key);
    assertThat(read(FileHandles.inDirectory(directory), wire)).isNull();
  }

  @Test
  void aKeyThatIsNoneOrThatOthersCanReadIsRefused() throws IOException {
    Path key = Files.write(directory.resolve("handle.key"), new byte[7]);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> FileHandles.inDirectory(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has the permissions rw-r-----; expected rw-------");

    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> FileHandles.inDirectory(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("handle.key has 7 bytes, a key has 16");
    assertThatThrownBy(() -> FileHandles.inDirectory(directory.resolve("absent")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("absent");
  }

  private static FileHandle handle(RandomGenerator random) {
    int jobLength = random.nextInt(FileHandles.JOB_BYTES_MAX + 1);
    StringBuilder job = new StringBuilder();
    while (job.length() < jobLength) {
      job.append((char) ('!' + random.nextInt('~' - '!')));
    }
    return new FileHandle(
        random.nextInt(),
        jobLength == 0 ? null : JobId.of(job.toString()),
        bytes(random, 1 + random.nextInt(FileIds.BYTES_MAX)));
  }

  private static byte[] bytes(RandomGenerator random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] wire(FileHandles handles, FileHandle handle) {
    ByteBuffer out = ByteBuffer.allocate(100);
    handles.write(handle, new XdrWriter(out));
    return Arrays.copyOf(out.array(), out.position());
  }

  private static @Nullable FileHandle read(FileHandles handles, byte[] wire) {
    return handles.read(new XdrReader(ByteBuffer.wrap(wire)));
  }
}
