package dev.sluice.load.play;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ContentsTest {
  @Test
  void aPieceIsTheSameWhereverItsWritingBegins() {
    byte[] whole = bytes(new Contents(7), 0, 4_096);
    SeededCases.forAll(
        2_000,
        random -> {
          int offset = random.nextInt(4_000);
          int length = random.nextInt(4_096 - offset);
          byte[] piece = bytes(new Contents(7), offset, length);
          assertThat(ByteBuffer.wrap(piece)).isEqualTo(ByteBuffer.wrap(whole, offset, length));
          assertThat(new Contents(7).firstDifference(ByteBuffer.wrap(piece), offset))
              .isEqualTo(Contents.NO_DIFFERENCE);
        });
  }

  @Test
  void everyChangedByteIsFound() {
    SeededCases.forAll(
        2_000,
        random -> {
          Contents contents = new Contents(random.nextLong());
          int offset = random.nextInt(1_000_000);
          byte[] piece = bytes(contents, offset, random.nextInt(1, 100));
          int wrong = random.nextInt(piece.length);
          piece[wrong] ^= (byte) (1 << random.nextInt(8));
          assertThat(contents.firstDifference(ByteBuffer.wrap(piece), offset))
              .isEqualTo(offset + wrong);
        });
  }

  @Test
  void whatStandsInAnotherPlaceOrFileOrIsZeroIsFound() {
    Contents contents = new Contents(1);
    byte[] piece = bytes(contents, 0, 64);
    assertThat(contents.firstDifference(ByteBuffer.wrap(piece), 64)).isGreaterThanOrEqualTo(64);
    assertThat(contents.firstDifference(ByteBuffer.wrap(piece), 1 << 30))
        .isGreaterThanOrEqualTo(1 << 30);
    assertThat(new Contents(2).firstDifference(ByteBuffer.wrap(piece), 0)).isNotNegative();
    assertThat(contents.firstDifference(ByteBuffer.allocate(64), 0)).isNotNegative();
  }

  private static byte[] bytes(Contents contents, long offset, int length) {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    contents.piece(offset, length).writeTo(buffer);
    assertThat(buffer.hasRemaining()).isFalse();
    return buffer.array();
  }
}
