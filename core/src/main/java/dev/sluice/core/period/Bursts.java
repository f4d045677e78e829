package dev.sluice.core.period;

import java.util.Arrays;

/** Bursts of I/O in a signal, in order of time; a buffer that a search fills again and again. */
final class Bursts {
  /** Volumes within this factor of each other are alike. */
  private static final double ALIKE_FACTOR = 2;

  private static final double ALIKE_SHARE = 0.65;

  private final int[] begins;
  private final int[] ends;
  private final double[] volumes;
  private final int[] parts;
  private final int[] gaps;
  private int size;

  Bursts(int capacity) {
    begins = new int[capacity];
    ends = new int[capacity];
    volumes = new double[capacity];
    parts = new int[capacity];
    gaps = new int[capacity];
  }

  int size() {
    return size;
  }

  /** The first bin of a burst. */
  int begin(int burst) {
    return begins[burst];
  }

  /** The first bin after a burst. */
  int end(int burst) {
    return ends[burst];
  }

  /** How many bins a burst has. */
  int length(int burst) {
    return ends[burst] - begins[burst];
  }

  /** The bytes of a burst that are above the background. */
  double volume(int burst) {
    return volumes[burst];
  }

  /** Of how many runs of bins a burst was joined. */
  int parts(int burst) {
    return parts[burst];
  }

  /** The longest gap within a burst. */
  int gap(int burst) {
    return gaps[burst];
  }

  /** Every run of bins above the background is a burst. */
  void findIn(Signal signal, Background background) {
    size = 0;
    int bin = 0;
    while (bin < signal.length()) {
      if (signal.load(bin) <= background.threshold()) {
        bin++;
        continue;
      }
      int begin = bin;
      double volume = 0;
      while (bin < signal.length() && signal.load(bin) > background.threshold()) {
        volume += signal.load(bin) - background.mean();
        bin++;
      }
      add(begin, bin, volume, 1, 0);
    }
  }

  /** Takes over another's bursts, those joined that have at most a number of bins between them. */
  void join(Bursts finer, int gapBins) {
    size = 0;
    for (int burst = 0; burst < finer.size; burst++) {
      int gap = size == 0 ? Integer.MAX_VALUE : finer.begins[burst] - ends[size - 1];
      if (gap > gapBins) {
        addFrom(finer, burst);
      } else {
        ends[size - 1] = finer.ends[burst];
        volumes[size - 1] += finer.volumes[burst];
        parts[size - 1] += finer.parts[burst];
        gaps[size - 1] = Math.max(gaps[size - 1], gap);
      }
    }
  }

  /** Takes over those of another's bursts that have at least a volume. */
  void keep(Bursts all, double volumeMin) {
    size = 0;
    for (int burst = 0; burst < all.size; burst++) {
      if (all.volumes[burst] >= volumeMin) {
        addFrom(all, burst);
      }
    }
  }

  /** Leaves the first burst out. */
  void dropFirst() {
    size--;
    System.arraycopy(begins, 1, begins, 0, size);
    System.arraycopy(ends, 1, ends, 0, size);
    System.arraycopy(volumes, 1, volumes, 0, size);
    System.arraycopy(parts, 1, parts, 0, size);
    System.arraycopy(gaps, 1, gaps, 0, size);
  }

  private void addFrom(Bursts other, int burst) {
    add(
        other.begins[burst],
        other.ends[burst],
        other.volumes[burst],
        other.parts[burst],
        other.gaps[burst]);
  }

  private void add(int begin, int end, double volume, int runs, int gap) {
    begins[size] = begin;
    ends[size] = end;
    volumes[size] = volume;
    parts[size] = runs;
    gaps[size] = gap;
    size++;
  }

  /** The volume so that bursts at least as large hold half of all bytes. */
  double typicalVolume() {
    double[] sorted = Arrays.copyOf(volumes, size);
    Arrays.sort(sorted);
    double half = Arrays.stream(sorted).sum() / 2;
    int burst = size - 1;
    double larger = sorted[burst];
    while (larger < half && burst > 0) {
      burst--;
      larger += sorted[burst];
    }
    return sorted[burst];
  }

  /** Whether most bursts from one on are about as large as the one in the middle. */
  boolean areAlike(int first) {
    double[] sorted = Arrays.copyOfRange(volumes, first, size);
    Arrays.sort(sorted);
    double median = sorted[sorted.length / 2];
    int near = 0;
    for (double volume : sorted) {
      near += volume > median / ALIKE_FACTOR && volume < median * ALIKE_FACTOR ? 1 : 0;
    }
    return near >= ALIKE_SHARE * sorted.length;
  }

  /** The volume of all bursts that begin at a bin or later. */
  double volumeFrom(int bin) {
    double sum = 0;
    for (int burst = 0; burst < size; burst++) {
      sum += begins[burst] >= bin ? volumes[burst] : 0;
    }
    return sum;
  }

  /** The volume of the largest burst that begins at a bin or later and has less than a volume. */
  double largestBelow(double volume, int bin) {
    double largest = 0;
    for (int burst = 0; burst < size; burst++) {
      if (begins[burst] >= bin && volumes[burst] < volume) {
        largest = Math.max(largest, volumes[burst]);
      }
    }
    return largest;
  }
}
