package dev.sluice.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A curve in each row: cost against size, with the exponent at its end. */
final class GrowthTable {
  private final int[] sizes;

  /** Prints the head of a table. */
  GrowthTable(String what, String of, int[] sizes) {
    this.sizes = sizes.clone();
    List<String> names = new ArrayList<>();
    for (int size : sizes) {
      names.add(String.format(Locale.ROOT, "%,d %s", size, of));
    }
    System.out.println("| " + what + " | " + String.join(" | ", names) + " | exponent |");
    System.out.println("|---" + "|---:".repeat(sizes.length + 1) + "|");
  }

  /** Prints a curve. */
  void row(String what, double[] costs) {
    StringBuilder row = new StringBuilder("| ").append(what).append(" |");
    for (double cost : costs) {
      row.append(String.format(Locale.ROOT, cost < 1_000 ? " %.3g |" : " %,.0f |", cost));
    }
    System.out.println(row + String.format(Locale.ROOT, " %.2f |", exponent(sizes, costs)));
  }

  /** The slope of a line through the logarithms, by least squares. */
  static double exponent(int[] sizes, double[] costs) {
    double meanSize = Arrays.stream(sizes).mapToDouble(Math::log).average().orElseThrow();
    double meanCost = Arrays.stream(costs).map(Math::log).average().orElseThrow();
    double along = 0;
    double squares = 0;
    for (int k = 0; k < sizes.length; k++) {
      double distance = Math.log(sizes[k]) - meanSize;
      along += distance * (Math.log(costs[k]) - meanCost);
      squares += distance * distance;
    }
    return along / squares;
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** What this thread has had of the processor. */
  static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
