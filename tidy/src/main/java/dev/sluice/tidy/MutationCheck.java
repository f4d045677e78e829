package dev.sluice.tidy;

import dev.sluice.tidy.Mutant.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tells how many mutants the tests kill, by package, and which survive, beside the page that says
 * why some do.
 *
 * @param scoreMin the least part that must be killed
 */
record MutationCheck(List<Mutant> mutants, Map<Change, Integer> known, double scoreMin) {
  private static final String PAGE = "docs/mutants.md";
  private static final double SCORE_MIN = 0.9;

  boolean passes() {
    return !mutants.isEmpty()
        && score(mutants) >= scoreMin
        && KnownSurvivors.newOnes(survivors(), known).isEmpty();
  }

  private List<Mutant> survivors() {
    return mutants.stream().filter(mutant -> !mutant.detected()).toList();
  }

  private static double score(List<Mutant> some) {
    return (double) some.stream().filter(Mutant::detected).count() / some.size();
  }

  /** The whole report, in lines. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    Map<String, List<Mutant>> packages = new TreeMap<>();
    mutants.forEach(mutant ->
        packages.computeIfAbsent(mutant.packageName(), _ -> new ArrayList<>()).add(mutant));
    packages.forEach((name, some) -> lines.add(row(name, some)));
    lines.add(row("all", mutants));

    List<Mutant> unknown = KnownSurvivors.newOnes(survivors(), known);
    lines.add("");
    lines.add(
        (survivors().size() - unknown.size())
            + " of "
            + survivors().size()
            + " survivors are in "
            + PAGE
            + " with a reason");
    section(lines, "New survivors", unknown.stream().map(MutationCheck::place).toList());
    section(
        lines,
        "In " + PAGE + " and killed or changed, so to be taken out",
        KnownSurvivors.goneOnes(survivors(), known).stream()
            .filter(change -> mutants.stream().anyMatch(seen -> isOf(seen, change)))
            .map(change ->
                String.join(
                    ": ", change.type(), change.method(), change.description(), change.source()))
            .toList());
    if (!mutants.isEmpty() && score(mutants) < scoreMin) {
      lines.add("");
      lines.add(String.format(Locale.ROOT, "Less than %.0f %% are killed", 100 * scoreMin));
    }
    return lines;
  }

  /** Whether the class was looked at in this run, which may have been told to look at few. */
  private static boolean isOf(Mutant seen, Change change) {
    return seen.what().type().equals(change.type());
  }

  private static String row(String name, List<Mutant> some) {
    long killed = some.stream().filter(Mutant::detected).count();
    return String.format(
        Locale.ROOT,
        "%-40s %5d of %5d killed  %5.1f %%",
        name,
        killed,
        some.size(),
        100.0 * killed / Math.max(1, some.size()));
  }

  private static void section(List<String> lines, String title, List<String> entries) {
    if (!entries.isEmpty()) {
      lines.add("");
      lines.add(title + " (" + entries.size() + "):");
      entries.forEach(entry -> lines.add("  " + entry));
    }
  }

  private static String place(Mutant mutant) {
    Change what = mutant.what();
    return what.type()
        + ":"
        + mutant.line()
        + ": "
        + what.method()
        + ": "
        + what.description()
        + ": "
        + what.source();
  }

  /** Compares a report with the page, in the working copy around the directory that is named. */
  public static void main(String[] arguments) {
    if (arguments.length != 2) {
      System.err.println("expected a directory of the working copy, and a report in XML");
      System.exit(2);
    }
    Path root = SourceTree.around(Path.of(arguments[0])).root();
    try {
      MutationCheck check =
          new MutationCheck(
              MutationReport.read(Path.of(arguments[1]), root.resolve("core/src/main/java")),
              KnownSurvivors.parse(Files.readAllLines(root.resolve(PAGE))),
              SCORE_MIN);
      check.lines().forEach(System.out::println);
      if (!check.passes()) {
        System.exit(1);
      }
    } catch (IOException | IllegalArgumentException e) {
      System.err.println(PAGE + " or " + arguments[1] + ": " + e.getMessage());
      System.exit(1);
    }
  }
}
