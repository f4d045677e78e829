package dev.sluice.papers.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.papers.Documented;
import dev.sluice.papers.Paper;
import dev.sluice.papers.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documentation says of each paper can be signed. */
class PapersTest {
  private static final int SEEDS = 5;

  static Stream<String> papers() {
    return Papers.all().stream().map(Paper::id);
  }

  @ParameterizedTest
  @MethodSource("papers")
  void everyClaimHasACriterionAndAReasonWhereItDoesNotSimplyHold(String paper) {
    Documented documented = new Documented(paper);
    List<String> words = Stream.of(Verdict.values()).map(Verdict::words).toList();
    assertThat(documented.claims()).isNotEmpty();
    documented
        .claims()
        .forEach((id, claim) -> {
          String verdict = claim.required("verdict").text();
          String criterion = claim.required("criterion").text();
          assertThat(verdict).as(id).isIn(words);
          assertThat(criterion).as(id).isNotBlank();
          assertThat(documented.text()).as(id).contains("| " + criterion.replace("|", "\\|"));
          if (!verdict.equals(Verdict.HOLDS.words())) {
            String why = claim.required("why").text();
            assertThat(why).as(id + " " + verdict).isNotBlank();
            assertThat(documented.text()).as(id).contains(": " + why);
          }
        });
  }

  /** Five seeds, and no verdict that they do not bear. */
  @ParameterizedTest
  @MethodSource("papers")
  void verdictsAreOverFiveSeeds(String paper) {
    new Documented(paper)
        .claims()
        .forEach((id, claim) -> {
          List<String> grades = grades(claim);
          long met = grades.stream().filter("met"::equals).count();
          assertThat(grades).as(id).hasSize(SEEDS);
          assertThat(claim.required("met").whole(0, SEEDS)).as(id).isEqualTo(met);
          switch (claim.required("verdict").text()) {
            case "holds", "by construction" -> assertThat(met).as(id).isEqualTo(SEEDS);
            case "holds weaker" -> {
              assertThat(met).as(id).isLessThan(SEEDS);
              assertThat(grades).as(id).doesNotContain("not met");
            }
            case "calibrated" -> assertThat(grades).as(id).doesNotContain("not met");
            default -> assertThat(met).as(id).isLessThan(SEEDS);
          }
        });
  }

  private static List<String> grades(DocumentMap claim) {
    List<String> grades = new ArrayList<>();
    for (DocumentNode node : claim.required("bySeed").list()) {
      grades.add(node.map("seed", "grade", "ours").required("grade").text());
    }
    return grades;
  }
}
