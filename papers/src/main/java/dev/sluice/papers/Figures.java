package dev.sluice.papers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A claim's figures by their names. */
public final class Figures {
  private final Map<String, Figure> byName = new LinkedHashMap<>();

  public Figures(List<Figure> figures) {
    for (Figure figure : figures) {
      if (byName.put(figure.name(), figure) != null) {
        throw new IllegalArgumentException("two figures are called \"" + figure.name() + '"');
      }
    }
  }

  private Figure figure(String name) {
    Figure figure = byName.get(name);
    if (figure == null) {
      throw new IllegalArgumentException(
          "there is no figure \"" + name + "\" among " + byName.keySet());
    }
    return figure;
  }

  double value(String name) {
    return figure(name).value();
  }

  /** A bound as the figure that it is for is written. */
  String written(String name, double bound) {
    return figure(name).notation().text(bound);
  }
}
