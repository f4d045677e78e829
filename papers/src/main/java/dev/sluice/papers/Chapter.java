package dev.sluice.papers;

import java.util.List;

/**
 * One experiment with one seed.
 *
 * @param text what was done, and what to make of it; the same with every seed
 */
public record Chapter(
    String heading,
    String text,
    List<Claim> claims,
    List<FigureTable> tables,
    List<Picture> pictures) {
  public Chapter {
    claims = List.copyOf(claims);
    tables = List.copyOf(tables);
    pictures = List.copyOf(pictures);
  }
}
