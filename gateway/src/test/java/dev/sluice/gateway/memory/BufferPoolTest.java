package dev.sluice.gateway.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BufferPoolTest {
  @Test
  void aBufferIsUsedAgainAndHasRoom() {
    BufferPool pool = new BufferPool(1 << 20);
    SeededCases.forAll(
        500,
        random -> {
          int bytes = random.nextInt(BufferPool.CAPACITY_MAX + 1);
          NativeBuffer buffer = pool.take(bytes);
          assertThat(buffer.bytes().remaining()).isGreaterThanOrEqualTo(bytes);
          assertThat(buffer.capacity()).isEqualTo(BufferPool.capacityFor(bytes));
          assertThat(pool.outBytes()).isEqualTo(buffer.capacity());
          buffer.bytes().position(1).limit(2);
          pool.giveBack(buffer);
          assertThat(pool.outBytes()).isZero();
          NativeBuffer again = pool.take(bytes);
          if (buffer.capacity() <= 1 << 20) {
            assertThat(again).isSameAs(buffer);
          }
          pool.giveBack(again);
        });
  }

  @Test
  void aBufferCannotBeGivenBackTwice() {
    BufferPool pool = new BufferPool(1 << 20);
    NativeBuffer buffer = pool.take(100);
    pool.giveBack(buffer);
    assertThatThrownBy(() -> pool.giveBack(buffer)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatNobodyNeedsIsLetGo() {
    BufferPool pool = new BufferPool(1 << 20);
    NativeBuffer often = pool.take(4096);
    NativeBuffer once = pool.take(4096);
    pool.giveBack(once);
    pool.giveBack(often);
    pool.letGoOfUnused();
    assertThat(pool.keptBytes()).as("they came back since").isEqualTo(2 * 4096);
    assertThat(pool.take(4096)).isSameAs(often);
    pool.giveBack(often);
    pool.letGoOfUnused();
    assertThat(pool.keptBytes()).as("one was needed").isEqualTo(4096);
    assertThat(pool.take(4096)).isSameAs(often);
    pool.giveBack(often);
    pool.letGoOfUnused();
    assertThat(pool.keptBytes()).as("now and then").isEqualTo(4096);
    pool.letGoOfUnused();
    assertThat(pool.keptBytes()).isZero();
  }

  /** The collector sees small objects alone, and may not come by for minutes. */
  @Test
  void whatIsLetGoTakesNoMemory() throws Exception {
    BufferPool pool = new BufferPool(0);
    byte[] some = new byte[BufferPool.CAPACITY_MAX];
    Arrays.fill(some, (byte) 1);
    long before = residentBytes();
    for (int i = 0; i < 100; i++) {
      NativeBuffer buffer = pool.take(BufferPool.CAPACITY_MAX);
      buffer.bytes().put(0, some);
      pool.giveBack(buffer);
    }
    assertThat(residentBytes() - before).isLessThan(200L << 20);
  }

  private static long residentBytes() throws IOException {
    String statm = Files.readString(Path.of("/proc/self/statm"));
    return 4_096 * Long.parseLong(statm.split(" ", -1)[1]);
  }

  @Test
  void anAddressOutsideTheBufferIsRefused() {
    NativeBuffer buffer = new BufferPool(0).take(100);
    assertThatThrownBy(() -> buffer.address(buffer.capacity() - 1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.address(-1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
