package dev.sluice.papers;

import java.util.List;

/** One figure with every seed. */
record Spread(List<Figure> bySeed) {
  Spread {
    bySeed = List.copyOf(bySeed);
    Figure first = bySeed.getFirst();
    for (Figure figure : bySeed) {
      if (!figure.name().equals(first.name()) || figure.notation() != first.notation()) {
        throw new IllegalArgumentException(
            "\"" + figure.name() + "\" is no other value of \"" + first.name() + '"');
      }
    }
  }

  String name() {
    return bySeed.getFirst().name();
  }

  /** The median, and in brackets the least and the most: {@code 1.9 % (1.2 to 2.5)}. */
  String text() {
    Notation notation = bySeed.getFirst().notation();
    double[] sorted = bySeed.stream().mapToDouble(Figure::value).sorted().toArray();
    double middle = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    double least = sorted[0];
    double most = sorted[sorted.length - 1];
    String median = notation.text(notation.rounded(middle));
    return least == most || sorted.length == 1
        ? notation.text(least)
        : median + " (" + notation.number(least) + " to " + notation.number(most) + ")";
  }
}
