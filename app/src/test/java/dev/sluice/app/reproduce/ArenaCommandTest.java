package dev.sluice.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("untimed")
class ArenaCommandTest {
  private static final String CONTEST = "adaptbf-redistribution";

  /** What is documented of the first seed is what comes of it, to the byte. */
  @Test
  void everyPolicyPlaysAndThePicturesAreTheDocumentedOnes(@TempDir Path directory)
      throws IOException {
    Cli cli = Cli.run("arena", CONTEST, "--seeds", "1", "--quiet", "--out", directory.toString());
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out())
        .contains("AdapTBF IV-E: redistribution. Every policy")
        .contains("holds (1 of 1)  " + CONTEST + ".1 aggregate: sojourn is no worse than adaptbf");
    Path documented = Cli.inTree("docs/reproduce/arena");
    for (int metric = 1; metric <= 6; metric++) {
      String picture = CONTEST + "-" + metric + ".svg";
      assertThat(directory.resolve(picture))
          .as("after a change on purpose: scripts/reproduce arena")
          .hasSameTextualContentAs(documented.resolve(picture));
    }
    assertThat(Files.readString(directory.resolve("results.md"))).contains("does not hold");
  }

  @Test
  void aContestThatIsNotThereIsRefused() {
    Cli cli = Cli.run("arena", "iosetz");
    assertThat(cli.exitCode()).isNotZero();
    assertThat(cli.err()).contains("there is no contest \"iosetz\"").contains("iosets");
  }
}
