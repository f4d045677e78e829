package dev.sluice.sim.report.svg;

import java.util.List;

/**
 * A colour that people with any colour vision can tell from the others (Okabe and Ito's palette,
 * its yellow darkened on white). After the eighth they come again, dashed or paler.
 *
 * @param index which; {@link #NEUTRAL} stands for what is no single thing, such as a total
 */
public record Colour(int index) {
  public static final Colour NEUTRAL = new Colour(-1);

  private static final List<String> ON_WHITE =
      List.of(
          "#0072b2", "#d55e00", "#009e73", "#e69f00", "#56b4e9", "#cc79a7", "#a89b00", "#7a4fb5");
  private static final List<String> ON_BLACK =
      List.of(
          "#3d9be0", "#ff7f3f", "#22c197", "#f2b23a", "#9bd8ff", "#e6a0ca", "#f0e442", "#b79ae8");
  private static final String NEUTRAL_ON_WHITE = "#6b7480";
  private static final String NEUTRAL_ON_BLACK = "#9aa4af";
  private static final int VARIANTS = 3;

  public Colour {
    if (index < -1) {
      throw new IllegalArgumentException("expected a colour from -1, not " + index);
    }
  }

  /** The classes that give an element this colour. */
  String classes() {
    if (index < 0) {
      return "cn";
    }
    int variant = index / ON_WHITE.size() % VARIANTS;
    return "c" + index % ON_WHITE.size() + (variant == 0 ? "" : " v" + variant);
  }

  static String styleOnWhite() {
    return style(ON_WHITE, NEUTRAL_ON_WHITE);
  }

  static String styleOnBlack() {
    return style(ON_BLACK, NEUTRAL_ON_BLACK);
  }

  private static String style(List<String> colours, String neutral) {
    StringBuilder css = new StringBuilder();
    for (int i = 0; i < colours.size(); i++) {
      rule(css, "c" + i, colours.get(i));
    }
    rule(css, "cn", neutral);
    return css.toString();
  }

  private static void rule(StringBuilder css, String name, String colour) {
    css.append(".chart .line.").append(name).append("{stroke:").append(colour).append("}");
    css.append(".chart .fill.").append(name).append("{fill:").append(colour).append("}\n");
  }
}
