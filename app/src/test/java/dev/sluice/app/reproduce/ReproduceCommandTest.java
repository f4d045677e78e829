package dev.sluice.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("untimed")
class ReproduceCommandTest {
  /** What the page says was made by the command, to the byte; two runs give the same. */
  @Test
  void theDocumentedResultsAreWhatTheCommandWrites(@TempDir Path directory) throws IOException {
    Cli cli = Cli.run("reproduce", "adaptbf", "--quiet", "--out", directory.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    Path documented = Cli.inTree("docs/reproduce/adaptbf");
    try (Stream<Path> files = Files.list(documented)) {
      List<Path> all = files.sorted().toList();
      assertThat(all).isNotEmpty();
      for (Path file : all) {
        Path made = directory.resolve(String.valueOf(file.getFileName()));
        assertThat(made)
            .as(
                "after a change on purpose: ./sluice reproduce adaptbf --out"
                    + " docs/reproduce/adaptbf")
            .hasSameTextualContentAs(file);
      }
    }
    assertThat(directory.resolve("report.html")).content().doesNotContain("src=\"http");
  }

  /** The claims that the paper's own page lists, and which of them hold here. */
  @Test
  void jsonHoldsEveryClaim() {
    Cli cli = Cli.run("reproduce", "adaptbf", "--quiet", "--json");
    List<DocumentNode> claims =
        Documents.parse("out", cli.out()).map("claims").required("claims").list();
    Set<String> broken = new HashSet<>();
    for (DocumentNode claim : claims) {
      DocumentMap map = claim.map("id", "paper", "ours", "holds");
      assertThat(map.required("ours").text()).isNotBlank();
      if (!map.required("holds").bool()) {
        broken.add(map.required("id").text());
      }
    }
    assertThat(claims).hasSize(15);
    assertThat(broken).containsExactly("IV-D.4");
  }

  @Test
  void anUnknownPaperIsOneLine() {
    Cli cli = Cli.run("reproduce", "adaptfb");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err().lines()).hasSize(1);
    assertThat(cli.err()).contains("did you mean adaptbf?");
  }
}
