package dev.sluice.core.linear;

import dev.sluice.core.text.Suggestion;
import java.util.List;

/** The solvers to choose from, by name; the first is taken where nothing is said. */
public record PackingSolvers(List<PackingSolver> all) {
  /** What there is without anything else: what is written in Java. */
  public static final PackingSolvers BUILT_IN = new PackingSolvers(List.of(new BuiltInSolver()));

  public PackingSolvers {
    all = List.copyOf(all);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("there must be a solver to choose");
    }
  }

  public PackingSolver preferred() {
    return all.getFirst();
  }

  public List<String> names() {
    return all.stream().map(PackingSolver::name).toList();
  }

  /** The one with this name; throws {@link IllegalArgumentException} where there is none. */
  public PackingSolver named(String name) {
    for (PackingSolver solver : all) {
      if (solver.name().equals(name)) {
        return solver;
      }
    }
    throw new IllegalArgumentException(
        "solver="
            + name
            + ": expected one of "
            + String.join(", ", names())
            + Suggestion.of(name, names()));
  }
}
