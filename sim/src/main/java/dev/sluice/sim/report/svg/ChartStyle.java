package dev.sluice.sim.report.svg;

/**
 * The style sheet of all pictures: a page carries it once, a picture of its own carries it inside.
 */
public final class ChartStyle {
  private static final String LAYOUT =
      """
      .chart{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;\
      font-size:12px}
      .chart text{fill:#30363d}
      .chart .name{font-size:14px;font-weight:600}
      .chart .small{font-size:10.5px}
      .chart .grid{stroke:#d8dee4;stroke-width:1}
      .chart .zero{stroke:#57606a;stroke-width:1}
      .chart .line{fill:none;stroke-width:1.8;stroke-linejoin:round}
      .chart .line.v1{stroke-dasharray:6 3}
      .chart .line.v2{stroke-dasharray:2 2}
      .chart .fill.v1{fill-opacity:.6}
      .chart .fill.v2{fill-opacity:.35}
      .chart .hover{fill:#000;fill-opacity:0}
      .chart .hover:hover{fill:#808890;fill-opacity:.18}
      """;

  private static final String DARK =
      """
      .chart text{fill:#d7dde3}
      .chart .grid{stroke:#333a42}
      .chart .zero{stroke:#8b949e}
      """;

  private ChartStyle() {}

  /** The rules; dark ones only on a screen that asks for them, because paper is white. */
  public static String css() {
    return LAYOUT
        + Colour.styleOnWhite()
        + "@media screen and (prefers-color-scheme:dark){\n"
        + DARK
        + Colour.styleOnBlack()
        + "}\n";
  }

  /** A picture as a file of its own. */
  public static String standalone(String svg) {
    int afterTag = svg.indexOf('>') + 1;
    return svg.substring(0, afterTag)
        + "<style>"
        + css()
        + "</style>"
        + svg.substring(afterTag)
        + "\n";
  }
}
