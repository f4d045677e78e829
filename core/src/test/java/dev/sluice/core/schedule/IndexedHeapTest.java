package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class IndexedHeapTest {
  /** An entry that also remembers what the model should order it by. */
  private static final class Numbered extends IndexedHeap.Entry {
    final int number;
    long key;
    long tieBreak;

    Numbered(int number) {
      this.number = number;
    }

    @Override
    public String toString() {
      return "entry " + number;
    }
  }

  private static final Comparator<Numbered> ORDER =
      Comparator.<Numbered>comparingLong(entry -> entry.key)
          .thenComparingLong(entry -> entry.tieBreak);

  @Test
  void anyHistoryAgreesWithASortedSet() {
    SeededCases.forAll(
        5_000,
        random -> {
          IndexedHeap<Numbered> heap = new IndexedHeap<>();
          TreeSet<Numbered> model = new TreeSet<>(ORDER);
          List<Numbered> everyone = new ArrayList<>();
          int keys = 1 + random.nextInt(50);
          for (int i = 0; i < 1 + random.nextInt(60); i++) {
            everyone.add(new Numbered(i));
          }
          for (int step = 0; step < 200; step++) {
            Numbered entry = everyone.get(random.nextInt(everyone.size()));
            long key = random.nextInt(8) == 0 ? random.nextLong() : random.nextInt(keys) - 5;
            // The entry's number keeps the order total; the rest of the tie break may be anything.
            long tieBreak = (random.nextInt(9) - 4) * 1_000L + entry.number;
            Numbered front = heap.peek();
            if (front != null && random.nextInt(4) == 0) {
              model.remove(front);
              front.key = Math.max(front.key, front.key + random.nextInt(4));
              front.tieBreak += random.nextInt(3) * 1_000L;
              heap.putFirstBack(front.key, front.tieBreak);
              model.add(front);
              entry = front;
            } else if (!entry.isQueued()) {
              entry.key = key;
              entry.tieBreak = tieBreak;
              heap.insert(entry, key, tieBreak);
              model.add(entry);
            } else if (random.nextInt(3) == 0) {
              heap.remove(entry);
              model.remove(entry);
            } else {
              model.remove(entry);
              entry.key = key;
              entry.tieBreak = tieBreak;
              heap.update(entry, key, tieBreak);
              model.add(entry);
            }
            heap.checkInvariants();
            assertThat(heap.size()).isEqualTo(model.size());
            assertThat(heap.isEmpty()).isEqualTo(model.isEmpty());
            assertThat(entry.isQueued()).isEqualTo(model.contains(entry));
            if (model.isEmpty()) {
              assertThat(heap.peek()).isNull();
            } else {
              assertThat(heap.peek()).isSameAs(model.first());
              assertThat(heap.minKey()).isEqualTo(model.first().key);
            }
          }
          List<Numbered> swept = new ArrayList<>();
          for (int i = 0; i < heap.size(); i++) {
            swept.add(heap.get(i));
          }
          assertThat(swept).containsExactlyInAnyOrderElementsOf(model);
          List<Numbered> drained = new ArrayList<>();
          for (Numbered first = heap.peek(); first != null; first = heap.peek()) {
            heap.remove(first);
            drained.add(first);
          }
          assertThat(drained).containsExactlyElementsOf(model);
        });
  }

  @Test
  void theSmallestAndTheLargestKeyKeepTheirPlaces() {
    IndexedHeap<Numbered> heap = new IndexedHeap<>();
    Numbered last = new Numbered(1);
    Numbered first = new Numbered(2);
    heap.insert(last, Long.MAX_VALUE, Long.MAX_VALUE);
    heap.insert(first, Long.MIN_VALUE, Long.MIN_VALUE);
    assertThat(heap.peek()).isSameAs(first);
    heap.update(first, Long.MAX_VALUE, Long.MIN_VALUE);
    assertThat(heap.peek()).isSameAs(first);
    heap.update(last, Long.MAX_VALUE - 1, Long.MAX_VALUE);
    assertThat(heap.peek()).isSameAs(last);
  }

  @Test
  void theFirstIsPutBackAndNeverForward() {
    IndexedHeap<Numbered> heap = new IndexedHeap<>();
    Numbered first = new Numbered(1);
    Numbered second = new Numbered(2);
    heap.insert(first, 5, 5);
    heap.insert(second, 6, 0);
    assertThatThrownBy(() -> heap.putFirstBack(5, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("entry 1");
    heap.putFirstBack(5, 5);
    assertThat(heap.peek()).isSameAs(first);
    heap.putFirstBack(6, 1);
    assertThat(heap.peek()).isSameAs(second);
    assertThat(heap.key(first)).isEqualTo(6);
  }

  @Test
  void anEntryIsInOneHeapAtATime() {
    IndexedHeap<Numbered> heap = new IndexedHeap<>();
    IndexedHeap<Numbered> other = new IndexedHeap<>();
    Numbered entry = new Numbered(7);
    heap.insert(entry, 1, 0);
    other.insert(new Numbered(8), 1, 0);

    assertThatThrownBy(() -> other.insert(entry, 1, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("entry 7");
    assertThatThrownBy(() -> other.update(entry, 1, 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> other.remove(entry)).isInstanceOf(IllegalStateException.class);
    assertThat(other.size()).isEqualTo(1);
    heap.remove(entry);
    assertThatThrownBy(() -> heap.remove(entry)).isInstanceOf(IllegalStateException.class);
    other.insert(entry, 0, 0);
    assertThat(other.peek()).isSameAs(entry);
  }

  @Test
  void anEntryOfALargerHeapIsNotInASmallerOne() {
    IndexedHeap<Numbered> small = new IndexedHeap<>();
    IndexedHeap<Numbered> large = new IndexedHeap<>();
    for (int i = 0; i < 100; i++) {
      Numbered entry = new Numbered(i);
      large.insert(entry, i, 0);
      assertThatThrownBy(() -> small.remove(entry)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void anEmptyHeapHasNoSmallestKeyAndNoPlaces() {
    IndexedHeap<Numbered> heap = new IndexedHeap<>();
    assertThat(heap.peek()).isNull();
    assertThatThrownBy(heap::minKey).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> heap.putFirstBack(1, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> heap.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
