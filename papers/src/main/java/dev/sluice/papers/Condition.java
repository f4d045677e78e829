package dev.sluice.papers;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What has to be so for a claim to hold, in words and over figures: both come from the same thing,
 * so that a report cannot say one and do the other. Bounds are in the unit in which the figure is
 * written. A figure that is not a number meets nothing.
 */
public sealed interface Condition {
  boolean isMetBy(Figures figures);

  /** For people: {@code job 3 > 10.0 %}. */
  String inWords(Figures figures);

  /** A figure beside a bound. */
  record Bound(String figure, Relation relation, double bound) implements Condition {
    @Override
    public boolean isMetBy(Figures figures) {
      return relation.holds(figures.value(figure), bound);
    }

    @Override
    public String inWords(Figures figures) {
      return figure + " " + relation.sign + " " + figures.written(figure, bound);
    }
  }

  /** How a figure stands to its bound. */
  enum Relation {
    LESS("<"),
    AT_MOST("≤"),
    MORE(">"),
    AT_LEAST("≥");

    private final String sign;

    Relation(String sign) {
      this.sign = sign;
    }

    boolean holds(double left, double right) {
      return switch (this) {
        case LESS -> left < right;
        case AT_MOST -> left <= right;
        case MORE -> left > right;
        case AT_LEAST -> left >= right;
      };
    }
  }

  /** A figure about as large as it should be. */
  record Near(String figure, double centre, double tolerance) implements Condition {
    /** Figures have at most four digits; half a unit of a fifth takes rounding errors away. */
    private static final double ROUNDING = 5e-6;

    @Override
    public boolean isMetBy(Figures figures) {
      return Math.abs(figures.value(figure) - centre) <= tolerance + ROUNDING;
    }

    @Override
    public String inWords(Figures figures) {
      return figure
          + " between "
          + figures.written(figure, centre - tolerance)
          + " and "
          + figures.written(figure, centre + tolerance);
    }
  }

  /** Each figure is more than the one before. */
  record Rising(List<String> names) implements Condition {
    public Rising {
      names = List.copyOf(names);
    }

    @Override
    public boolean isMetBy(Figures figures) {
      for (int i = 1; i < names.size(); i++) {
        if (!(figures.value(names.get(i - 1)) < figures.value(names.get(i)))) {
          return false;
        }
      }
      return true;
    }

    @Override
    public String inWords(Figures figures) {
      return String.join(" < ", names);
    }
  }

  /** A figure is more, or less, than each of the others. */
  record Extreme(String figure, boolean highest, List<String> others) implements Condition {
    public Extreme {
      others = List.copyOf(others);
    }

    @Override
    public boolean isMetBy(Figures figures) {
      double value = figures.value(figure);
      return others.stream()
          .mapToDouble(figures::value)
          .allMatch(other -> highest ? value > other : value < other);
    }

    @Override
    public String inWords(Figures figures) {
      return figure
          + (highest ? " above " : " below ")
          + (others.size() > 1 ? "each of " : "")
          + String.join(", ", others);
    }
  }

  /** A figure is less far from one than from another. */
  record Closer(String figure, String near, String far) implements Condition {
    @Override
    public boolean isMetBy(Figures figures) {
      double value = figures.value(figure);
      return Math.abs(value - figures.value(near)) < Math.abs(value - figures.value(far));
    }

    @Override
    public String inWords(Figures figures) {
      return figure + " closer to " + near + " than to " + far;
    }
  }

  /** All of them. */
  record All(List<Condition> conditions) implements Condition {
    public All {
      conditions = List.copyOf(conditions);
    }

    @Override
    public boolean isMetBy(Figures figures) {
      return conditions.stream().allMatch(condition -> condition.isMetBy(figures));
    }

    @Override
    public String inWords(Figures figures) {
      return conditions.stream()
          .map(condition -> condition.inWords(figures))
          .collect(Collectors.joining("; "));
    }
  }

  static Condition less(String figure, double bound) {
    return new Bound(figure, Relation.LESS, bound);
  }

  static Condition atMost(String figure, double bound) {
    return new Bound(figure, Relation.AT_MOST, bound);
  }

  static Condition more(String figure, double bound) {
    return new Bound(figure, Relation.MORE, bound);
  }

  static Condition atLeast(String figure, double bound) {
    return new Bound(figure, Relation.AT_LEAST, bound);
  }

  static Condition near(String figure, double centre, double tolerance) {
    return new Near(figure, centre, tolerance);
  }

  static Condition rising(String... names) {
    return new Rising(List.of(names));
  }

  static Condition rising(List<String> names) {
    return new Rising(names);
  }

  static Condition above(String figure, List<String> others) {
    return new Extreme(figure, true, others);
  }

  static Condition above(String figure, String... others) {
    return new Extreme(figure, true, List.of(others));
  }

  static Condition below(String figure, List<String> others) {
    return new Extreme(figure, false, others);
  }

  static Condition below(String figure, String... others) {
    return new Extreme(figure, false, List.of(others));
  }

  static Condition closer(String figure, String near, String far) {
    return new Closer(figure, near, far);
  }

  static Condition all(Condition... conditions) {
    return new All(List.of(conditions));
  }

  /** The same of each figure. */
  static Condition each(List<String> names, Function<String, Condition> of) {
    List<Condition> conditions = new ArrayList<>();
    names.forEach(name -> conditions.add(of.apply(name)));
    return new All(conditions);
  }
}
