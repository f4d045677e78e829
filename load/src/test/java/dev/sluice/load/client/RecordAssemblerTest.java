package dev.sluice.load.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.testkit.SeededCases;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RecordAssemblerTest {
  @Test
  void recordsComeOutAsTheyWentInWhateverTheirFragmentsAndPieces() {
    SeededCases.forAll(
        300,
        random -> {
          List<byte[]> records = new ArrayList<>();
          for (int i = random.nextInt(1, 20); i > 0; i--) {
            byte[] record =
                new byte[random.nextInt(4) == 0 ? random.nextInt(300_000) : random.nextInt(200)];
            random.nextBytes(record);
            records.add(record);
          }
          List<byte[]> seen = new ArrayList<>();
          RecordAssembler assembler = new RecordAssembler();
          ReadableByteChannel channel = new Pieces(stream(records, random), random);
          try {
            while (assembler.receive(channel)) {
              for (ByteBuffer next = assembler.next(); next != null; next = assembler.next()) {
                byte[] record = new byte[next.remaining()];
                next.get(record);
                seen.add(record);
              }
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          assertThat(seen).hasSameSizeAs(records);
          for (int i = 0; i < records.size(); i++) {
            assertThat(seen.get(i)).isEqualTo(records.get(i));
          }
        });
  }

  @Test
  void aRecordThatIsTooLongOrHasTooManyFragmentsIsRefused() throws IOException {
    ByteArrayOutputStream tooLong = new ByteArrayOutputStream();
    new DataOutputStream(tooLong).writeInt(RecordMark.last(RecordAssembler.RECORD_BYTES_MAX + 1));
    assertThatThrownBy(() -> readAll(tooLong.toByteArray()))
        .isInstanceOf(XdrException.class)
        .hasMessageContaining("more than 8388608 bytes");
    byte[] empty = new byte[RecordMark.BYTES * (RecordAssembler.FRAGMENTS_MAX + 1)];
    assertThatThrownBy(() -> readAll(empty))
        .isInstanceOf(XdrException.class)
        .hasMessageContaining("fragments");
  }

  private static void readAll(byte[] bytes) throws IOException {
    RecordAssembler assembler = new RecordAssembler();
    ReadableByteChannel channel = Channels.newChannel(new ByteArrayInputStream(bytes));
    while (assembler.receive(channel)) {
      while (assembler.next() != null) {}
    }
  }

  private static byte[] stream(List<byte[]> records, RandomGenerator random) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (byte[] record : records) {
        int at = 0;
        while (random.nextInt(3) == 0) {
          int length = random.nextInt(record.length - at + 1);
          out.writeInt(RecordMark.more(length));
          out.write(record, at, length);
          at += length;
        }
        out.writeInt(RecordMark.last(record.length - at));
        out.write(record, at, record.length - at);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** A stream that arrives in pieces. */
  private static final class Pieces implements ReadableByteChannel {
    private final ByteBuffer bytes;
    private final RandomGenerator random;

    Pieces(byte[] bytes, RandomGenerator random) {
      this.bytes = ByteBuffer.wrap(bytes);
      this.random = random;
    }

    @Override
    public int read(ByteBuffer target) {
      if (!bytes.hasRemaining()) {
        return -1;
      }
      assertThat(target.hasRemaining()).isTrue();
      int wanted = random.nextBoolean() ? random.nextInt(1, 10) : random.nextInt(1, 100_000);
      int length = Math.min(Math.min(wanted, target.remaining()), bytes.remaining());
      target.put(bytes.slice(bytes.position(), length));
      bytes.position(bytes.position() + length);
      return length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
