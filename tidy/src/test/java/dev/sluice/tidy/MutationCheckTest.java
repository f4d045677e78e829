package dev.sluice.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.tidy.Mutant.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutationCheckTest {
  private static final Change BOUNDARY =
      new Change("tidy.one.A", "first", "changed conditional boundary", "if (a < b) {");
  private static final Change RETURN =
      new Change("tidy.two.B$C", "second", "replaced int return with 0", "return a;");

  private static final List<String> PAGE =
      """
      # Mutants

      - `a list` before any class is not looked at

      ## Equivalent

      ### `tidy.one.A`

      - `first`: changed conditional boundary (2 times)
        `if (a < b) {`
        Both ends give the same, because of this,
        and of that.
      """
          .lines()
          .toList();

  @TempDir private Path directory;

  @Test
  void everySurvivorThatThePageDoesNotKnowIsNew() {
    Map<Change, Integer> known = KnownSurvivors.parse(PAGE);
    assertThat(known).isEqualTo(Map.of(BOUNDARY, 2));
    List<Mutant> mutants = new ArrayList<>(killed(28));
    mutants.add(new Mutant(BOUNDARY, 5, false));
    mutants.add(new Mutant(BOUNDARY, 5, false));
    MutationCheck same = new MutationCheck(mutants, known, 0.9);
    assertThat(same.passes()).isTrue();
    assertThat(same.lines())
        .contains("2 of 2 survivors are in docs/mutants.md with a reason")
        .noneMatch(line -> line.startsWith("New") || line.startsWith("In docs"));

    mutants.add(new Mutant(BOUNDARY, 9, false));
    MutationCheck one = new MutationCheck(mutants, known, 0.9);
    assertThat(one.passes()).isFalse();
    assertThat(one.lines())
        .contains("2 of 3 survivors are in docs/mutants.md with a reason")
        .contains("New survivors (1):")
        .contains("  tidy.one.A:9: first: changed conditional boundary: if (a < b) {");
  }

  @Test
  void whatSurvivesNoMoreIsNamedWhereItsClassWasLookedAt() {
    Map<Change, Integer> known = Map.of(BOUNDARY, 1, RETURN, 1);
    MutationCheck check = new MutationCheck(List.of(new Mutant(BOUNDARY, 5, true)), known, 0.9);
    assertThat(check.passes()).isTrue();
    assertThat(check.lines())
        .contains("In docs/mutants.md and killed or changed, so to be taken out (1):")
        .contains("  tidy.one.A: first: changed conditional boundary: if (a < b) {")
        .noneMatch(line -> line.contains("tidy.two"));
  }

  @Test
  void scoresAreByPackageAndTheWholeHasABar() {
    List<Mutant> mutants = new ArrayList<>(killed(8));
    mutants.add(new Mutant(RETURN, 3, false));
    mutants.add(new Mutant(RETURN, 4, true));
    MutationCheck at = new MutationCheck(mutants, Map.of(RETURN, 1), 0.9);
    assertThat(at.passes()).isTrue();
    assertThat(at.lines())
        .anyMatch(line -> line.matches("tidy\\.one +8 of +8 killed +100\\.0 %"))
        .anyMatch(line -> line.matches("tidy\\.two +1 of +2 killed +50\\.0 %"))
        .anyMatch(line -> line.matches("all +9 of +10 killed +90\\.0 %"));
    MutationCheck below = new MutationCheck(mutants.subList(1, 10), Map.of(RETURN, 1), 0.9);
    assertThat(below.passes()).isFalse();
    assertThat(below.lines()).contains("Less than 90 % are killed");
    assertThat(new MutationCheck(List.of(), Map.of(), 0.9).passes()).as("nothing done").isFalse();
  }

  private static List<Mutant> killed(int count) {
    List<Mutant> killed = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      killed.add(new Mutant(BOUNDARY, i, true));
    }
    return killed;
  }

  @Test
  void aReportIsReadWithTheLinesOfTheSources() throws IOException {
    Path sources = directory.resolve("java");
    Files.createDirectories(sources.resolve("tidy/two"));
    Files.writeString(
        sources.resolve("tidy/two/B.java"), "class B {\n  int b() {\n    return a;\n  }\n}\n");
    Path report = directory.resolve("mutations.xml");
    Files.writeString(
        report,
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <mutations partial="true">
        <mutation detected='false' status='SURVIVED' numberOfTestsRun='3'>
        <sourceFile>B.java</sourceFile><mutatedClass>tidy.two.B$C</mutatedClass>
        <mutatedMethod>lambda$second$7</mutatedMethod><methodDescription>()I</methodDescription>
        <lineNumber>3</lineNumber><mutator>a.Mutator</mutator>
        <indexes><index>5</index></indexes><blocks><block>0</block></blocks><killingTest/>
        <description>replaced int return with 0 for tidy/two/B$C::b</description></mutation>
        </mutations>
        """);
    assertThat(MutationReport.read(report, sources)).containsExactly(new Mutant(RETURN, 3, false));
  }

  @Test
  void aPageWithoutAReasonIsRefused() {
    List<String> lines = new ArrayList<>(PAGE.subList(0, PAGE.size() - 2));
    assertThatThrownBy(() -> KnownSurvivors.parse(lines))
        .hasMessageStartingWith("line 9: \"- `first`: changed conditional boundary (2 times)\"")
        .hasMessageContaining("why nothing can tell");
    List<String> twice = new ArrayList<>(PAGE);
    twice.addAll(PAGE.subList(8, PAGE.size()));
    assertThatThrownBy(() -> KnownSurvivors.parse(twice))
        .hasMessage("line 13: the same is said before");
  }
}
