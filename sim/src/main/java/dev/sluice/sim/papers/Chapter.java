package dev.sluice.sim.papers;

import dev.sluice.sim.report.ReportTable;
import java.util.List;

/**
 * One experiment.
 *
 * @param text what was done, and what to make of it
 */
public record Chapter(
    String heading,
    String text,
    List<Claim> claims,
    List<ReportTable> tables,
    List<Picture> pictures) {
  public Chapter {
    claims = List.copyOf(claims);
    tables = List.copyOf(tables);
    pictures = List.copyOf(pictures);
  }
}
