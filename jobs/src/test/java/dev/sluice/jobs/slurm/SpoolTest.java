package dev.sluice.jobs.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
  private static final String GOOD =
      """
      user=alice
      uid=1001
      account=bio
      qos=
      nodes=n[00-02]
      node-count=3
      array=7
      array-task=2
      start=1794809406
      name=lammps = fast
      """;

  @TempDir Path directory;
  private Path files;
  private Spool spool;

  @BeforeEach
  void make() throws IOException {
    files = Files.createDirectory(directory.resolve("spool"));
    spool = new Spool(files);
  }

  @Test
  void whatTheHookPassesOnOfACommentIsAHint() {
    assertThat(SpoolFile.parse(5, GOOD).phaseTokens()).isEmpty();
    assertThat(SpoolFile.parse(5, GOOD + "comment=x = y, sluice:phase=1kB\n").phaseTokens())
        .hasValue(1_000);
  }

  private void put(String name, String text) throws IOException {
    Path unnamed = Files.writeString(files.resolve("." + name), text);
    Files.move(unnamed, files.resolve(name));
  }

  @Test
  void aFileIsAJobUntilItIsGone() throws IOException {
    assertThat(spool.look()).isFalse();
    put("12.0", GOOD);
    assertThat(spool.look()).isTrue();
    SlurmJob job = Objects.requireNonNull(spool.jobs().get(12L));
    assertThat(job.user()).isEqualTo("alice");
    assertThat(job.name()).isEqualTo("lammps = fast");
    assertThat(job.nodeList()).isEqualTo("n[00-02]");
    assertThat(job.arrayTask()).hasValue(2);
    assertThat(job.startSeconds()).isEqualTo(1_794_809_406);
    assertThat(spool.look()).isFalse();
    Files.delete(files.resolve("12.0"));
    assertThat(spool.look()).isTrue();
    assertThat(spool.jobs()).isEmpty();
    assertThat(spool.problem()).isNull();
  }

  @Test
  void theLatestRunOfAJobCounts() throws IOException {
    put("12.9", GOOD);
    put("12.10", GOOD.replace("n[00-02]", "m1"));
    put(".13.0.77", "half a file");
    put("README", "not a job");
    spool.look();
    assertThat(spool.jobs()).hasSize(1);
    assertThat(spool.jobs().get(12L)).extracting(SlurmJob::nodeList).isEqualTo("m1");
    assertThat(spool.problem()).isNull();
  }

  @Test
  void aBadFileIsNamedAndTheOthersCount() throws IOException {
    put("12.0", GOOD);
    put("13.0", "user=alice\n");
    Files.createSymbolicLink(files.resolve("14.0"), Path.of("/etc/passwd"));
    spool.look();
    assertThat(spool.jobs()).containsOnlyKeys(12L);
    assertThat(spool.problem()).containsAnyOf("13.0: expected a line nodes=", "14.0: ");
    Files.delete(files.resolve("13.0"));
    Files.delete(files.resolve("14.0"));
    spool.look();
    assertThat(spool.problem()).isNull();
  }

  @Test
  void aDirectoryThatIsAwayOrEverybodysTakesNothingAwayAndAddsNothing() throws IOException {
    put("12.0", GOOD);
    spool.look();
    Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwxrwxrwx"));
    put("13.0", GOOD);
    assertThat(spool.look()).isFalse();
    assertThat(spool.problem()).contains("everybody may write");
    Path away = Files.move(files, directory.resolve("away"));
    assertThat(spool.look()).isFalse();
    assertThat(spool.problem()).contains("no such directory");
    assertThat(spool.jobs()).containsOnlyKeys(12L);
    Files.move(away, files);
    Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwxr-x---"));
    assertThat(spool.look()).isTrue();
    assertThat(spool.jobs()).containsOnlyKeys(12L, 13L);
  }

  @Test
  void everyMutationIsReadOrRefused() {
    byte[] good = GOOD.getBytes(StandardCharsets.UTF_8);
    SeededCases.forAll(
        5_000,
        random -> {
          String text = new String(Fixtures.mutated(good, random), StandardCharsets.UTF_8);
          try {
            assertThat(SpoolFile.parse(5, text).nodeList()).isNotEmpty();
          } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageNotContaining("\n");
          }
        });
  }

  @Test
  void whatIsWrongIsNamed() {
    assertThatThrownBy(() -> SpoolFile.parse(5, GOOD.replace("uid=1001", "uid=-1")))
        .hasMessageContaining("uid \"-1\"");
    assertThatThrownBy(() -> SpoolFile.parse(5, "nodes=n1\n")).hasMessageContaining("user");
    assertThatThrownBy(() -> SpoolFile.parse(5, "nodes=n1\nhello\n"))
        .hasMessageContaining("\"hello\": expected key=value");
  }
}
