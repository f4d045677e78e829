package dev.sluice.papers;

/**
 * Something measured, exactly as it is written: what a reader sees is what is compared, so that
 * every verdict can be checked by hand from the page that it stands on.
 *
 * @param name what was measured, and under which policy
 * @param value in the unit in which it is written, with the digits that are written
 */
public record Figure(String name, double value, Notation notation) implements Cell {
  public Figure {
    value = notation.rounded(value);
  }

  /** A quantity as it was measured: a part as 0.5 and not as 50 %, a rate in bytes a second. */
  public static Figure of(String name, double raw, Notation notation) {
    return new Figure(name, notation.written(raw), notation);
  }

  public String text() {
    return notation.text(value);
  }
}
