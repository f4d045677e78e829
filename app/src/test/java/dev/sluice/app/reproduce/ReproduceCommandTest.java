package dev.sluice.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("untimed")
class ReproduceCommandTest {
  /**
   * What the pages show of the first seed is what the command writes: every figure of every claim,
   * and the pictures to the byte. All five seeds take too long for a test.
   */
  @ParameterizedTest
  @ValueSource(strings = {"adaptbf", "sdqpro", "padll"})
  void theDocumentedResultsAreWhatTheCommandWrites(String paper, @TempDir Path directory)
      throws IOException {
    Cli cli = Cli.run("reproduce", paper, "--seeds", "1", "--quiet", "--out", directory.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    Path documented = Cli.inTree("docs/reproduce/" + paper);
    String again = "after a change on purpose: scripts/reproduce " + paper;
    assertThat(firstSeed(directory.resolve("claims.json")))
        .as(again)
        .isEqualTo(firstSeed(documented.resolve("claims.json")));
    try (Stream<Path> files = Files.list(documented)) {
      List<Path> pictures =
          files.filter(file -> file.toString().endsWith(".svg")).sorted().toList();
      assertThat(pictures).isNotEmpty();
      for (Path picture : pictures) {
        assertThat(directory.resolve(String.valueOf(picture.getFileName())))
            .as(again)
            .hasSameTextualContentAs(picture);
      }
    }
    assertThat(directory.resolve("report.html")).content().doesNotContain("src=\"http");
  }

  /** All that is said of each claim before verdicts, which are over all seeds. */
  private static List<List<String>> firstSeed(Path file) throws IOException {
    List<List<String>> claims = new ArrayList<>();
    for (DocumentMap claim : claims(Files.readString(file))) {
      DocumentMap seen = claim.required("bySeed").list().getFirst().map("seed", "grade", "ours");
      claims.add(
          List.of(
              claim.required("id").text(),
              claim.required("paper").text(),
              claim.required("criterion").text(),
              claim.required("why").text(),
              seen.required("seed").text(),
              seen.required("grade").text(),
              seen.required("ours").text()));
    }
    return claims;
  }

  private static List<DocumentMap> claims(String json) {
    List<DocumentMap> claims = new ArrayList<>();
    for (DocumentNode node :
        Documents.parse("claims", json).map("seeds", "claims").required("claims").list()) {
      claims.add(node.map("id", "paper", "criterion", "verdict", "met", "why", "ours", "bySeed"));
    }
    return claims;
  }

  @Test
  void jsonHoldsEveryClaimWithEverySeed() {
    Cli cli = Cli.run("reproduce", "padll", "--seed", "4", "--seeds", "2", "--quiet", "--json");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    List<DocumentMap> claims = claims(cli.out());
    assertThat(claims).hasSize(31);
    for (DocumentMap claim : claims) {
      assertThat(claim.required("criterion").text()).isNotBlank();
      assertThat(
              claim.required("bySeed").list().stream()
                  .map(seen -> seen.map("seed", "grade", "ours").required("seed").text()))
          .containsExactly("4", "5");
    }
  }

  @Test
  void anUnknownPaperIsOneLine() {
    Cli cli = Cli.run("reproduce", "adaptfb");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err().lines()).hasSize(1);
    assertThat(cli.err()).contains("did you mean adaptbf?");
  }

  @Test
  void noSeedsAreRefused() {
    Cli cli = Cli.run("reproduce", "adaptbf", "--seeds", "0");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("--seeds", "expected 1 to 100");
  }

  @Test
  void otherPapersAreSimulatedOnly() {
    Cli cli = Cli.run("reproduce", "adaptbf", "--live");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("--live: adaptbf is simulated only; expected padll");
  }
}
