package dev.sluice.sim.report.svg;

import java.util.List;

/** How far series reach; all zero where there are no values. */
record Extent(double lowestX, double highestX, double lowestY, double highestY) {
  static Extent of(List<Series> series) {
    double lowestX = Double.POSITIVE_INFINITY;
    double highestX = Double.NEGATIVE_INFINITY;
    double lowestY = Double.POSITIVE_INFINITY;
    double highestY = Double.NEGATIVE_INFINITY;
    for (Series one : series) {
      for (int i = 0; i < one.size(); i++) {
        if (one.has(i)) {
          lowestX = Math.min(lowestX, one.x(i));
          highestX = Math.max(highestX, one.x(i));
          lowestY = Math.min(lowestY, one.y(i));
          highestY = Math.max(highestY, one.y(i));
        }
      }
    }
    return highestX < lowestX
        ? new Extent(0, 0, 0, 0)
        : new Extent(lowestX, highestX, lowestY, highestY);
  }
}
