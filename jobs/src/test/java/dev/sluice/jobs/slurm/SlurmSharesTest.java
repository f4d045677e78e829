package dev.sluice.jobs.slurm;

import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.schedule.AccountShares;
import dev.sluice.jobs.slurm.SlurmSettings.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shares from a command that prints what Slurm printed; app has a test with Slurm itself. */
@Timeout(120)
class SlurmSharesTest {
  private static final long PERIOD_NANOS = 3_600_000_000_000L;
  private static final long RETRY_NANOS = 1_000_000;

  @TempDir Path directory;

  @BeforeEach
  void installCommand() throws IOException {
    Path command =
        Files.writeString(
            directory.resolve("sshare"),
            """
            #!/bin/sh
            echo "$*" >> "%1$s/calls"
            if [ -e "%1$s/down" ]; then
              echo "Couldn't get shares from controller" >&2
              exit 1
            fi
            text=$(cat "%1$s/sshare.txt"; echo .)
            echo >> "%1$s/taken"
            while [ -e "%1$s/slow" ]; do sleep 0.02; done
            printf %%s "${text%%.}"
            """
                .formatted(directory));
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(directory.resolve("sshare.txt"), Fixtures.text("sshare-22.05.txt"));
  }

  private SlurmShares open() {
    SlurmSettings settings =
        new SlurmSettings(
            Source.SQUEUE, PERIOD_NANOS, null, null, directory, null, List.of(), List.of());
    return new SlurmShares(settings, PERIOD_NANOS, RETRY_NANOS);
  }

  @Test
  void sharesAreAskedForOnceAndAgainWhenSomebodyWantsToKnow() throws Exception {
    try (SlurmShares shares = open()) {
      await("an answer", () -> shares.shares().accounts().size() == 6);
      long version = shares.version();
      assertThat(shares.words()).startsWith("Slurm's shares of 6 accounts, ").endsWith(" old");
      assertThat(shares.problem()).isNull();
      shares.reload();
      await("another call", () -> Files.readAllLines(directory.resolve("calls")).size() == 2);
      Files.writeString(directory.resolve("sshare.txt"), "||root\n1|| a\n3|| b\n");
      shares.reload();
      await("what is new", () -> shares.shares().accounts().size() == 2);
      assertThat(shares.version()).as("the answer in between was the same").isEqualTo(version + 1);
    }
  }

  /** A reading that began before somebody changed the shares does not count as one after it. */
  @Test
  void whoeverAsksWhileAnAnswerIsUnderWayGetsANewerOne() throws Exception {
    Files.writeString(directory.resolve("slow"), "");
    try (SlurmShares shares = open()) {
      await("the first call", () -> Files.exists(directory.resolve("calls")));
      await("its text to be taken", () -> Files.exists(directory.resolve("taken")));
      Files.writeString(directory.resolve("sshare.txt"), "||root\n1|| a\n3|| b\n");
      shares.reload();
      Files.delete(directory.resolve("slow"));
      await("what is new", () -> shares.shares().accounts().size() == 2);
    }
  }

  @Test
  void whileSlurmIsAwayOrTalksNonsenseWhatWasKnownStays() throws Exception {
    try (SlurmShares shares = open()) {
      await("an answer", () -> !shares.shares().equals(AccountShares.NONE));
      AccountShares known = shares.shares();
      Files.writeString(directory.resolve("down"), "");
      shares.reload();
      await("a problem", () -> shares.problem() != null);
      assertThat(shares.problem())
          .contains("Slurm's shares are as they were ", "sshare failed (1)", "from controller");
      assertThat(shares.shares()).isEqualTo(known);
      Files.writeString(directory.resolve("sshare.txt"), "||root\nmany|| a\n");
      Files.delete(directory.resolve("down"));
      await(
          "the text is refused",
          () -> String.valueOf(shares.problem()).contains("line 2 of sshare: \"many\""));
      assertThat(shares.shares()).isEqualTo(known);
      Files.writeString(directory.resolve("sshare.txt"), "||root\n1|| a\n");
      await("all is well again", () -> shares.problem() == null);
      assertThat(shares.shares().accounts()).containsOnlyKeys("a");
    }
  }

  @Test
  void beforeTheFirstAnswerNobodyHasAnyAndThatIsSaid() throws Exception {
    Files.delete(directory.resolve("sshare"));
    try (SlurmShares shares = open()) {
      await("a problem", () -> shares.problem() != null);
      assertThat(shares.problem()).contains("has not told its shares yet", "all weigh the same");
      assertThat(shares.words()).contains("has not told yet");
      assertThat(shares.shares()).isEqualTo(AccountShares.NONE);
    }
  }
}
