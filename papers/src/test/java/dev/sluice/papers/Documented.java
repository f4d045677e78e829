package dev.sluice.papers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.sim.report.svg.ChartStyle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The results of a paper that stand in the documentation. */
public final class Documented {
  /** How to make them anew. */
  private static final String AGAIN = "after a change on purpose: scripts/reproduce ";

  private final String paper;
  private final Path directory;
  private final Map<String, DocumentMap> claims = new LinkedHashMap<>();

  public Documented(String paper) {
    this.paper = paper;
    this.directory = Path.of("../docs/reproduce", paper);
    DocumentMap whole = Documents.parse("claims.json", read("claims.json")).map("seeds", "claims");
    for (DocumentNode node : whole.required("claims").list()) {
      DocumentMap claim =
          node.map("id", "paper", "criterion", "verdict", "met", "why", "ours", "bySeed");
      claims.put(claim.required("id").text(), claim);
    }
  }

  private String read(String file) {
    try {
      return Files.readString(directory.resolve(file));
    } catch (IOException e) {
      throw new AssertionError(AGAIN + paper, e);
    }
  }

  public String text() {
    return read("results.md");
  }

  /** The claims by their ids. */
  public Map<String, DocumentMap> claims() {
    return claims;
  }

  /** What the first seed showed of these claims is what is documented. */
  public void holds(List<Claim> seen) {
    for (Claim claim : seen) {
      DocumentMap documented =
          Objects.requireNonNull(
              claims.get(claim.id()), () -> claim.id() + " is missing; " + AGAIN + paper);
      assertThat(documented.required("criterion").text())
          .as(AGAIN + paper)
          .isEqualTo(claim.criterion());
      DocumentMap first =
          documented.required("bySeed").list().getFirst().map("seed", "grade", "ours");
      assertThat(first.required("ours").text())
          .as(AGAIN + paper + " (" + claim.id() + ")")
          .isEqualTo(claim.ours());
      assertThat(first.required("grade").text()).isEqualTo(claim.grade().words());
    }
  }

  /** The same of all that a chapter shows. */
  public void holds(Chapter chapter) {
    holds(chapter.claims());
    assertThat(text()).as(AGAIN + paper).contains(chapter.heading(), chapter.text());
    for (Picture picture : chapter.pictures()) {
      assertThat(ChartStyle.standalone(picture.svg()))
          .as(AGAIN + paper)
          .isEqualTo(read(picture.file() + ".svg"));
    }
  }
}
