package dev.sluice.sim.papers;

import java.util.Locale;

/** Figures as papers' claims and tables show them. */
public final class Texts {
  private Texts() {}

  /** A change: {@code +2.5 %}. */
  public static String change(double part) {
    return String.format(Locale.ROOT, "%+.1f %%", 100 * part);
  }

  /** A part of a whole: {@code 2.5 %}. */
  public static String part(double part) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }
}
