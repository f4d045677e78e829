package dev.sluice.stage.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.stage.NativeBuild;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StageDirectoryTest {
  private static final JobId JOB = JobId.of("4711");
  private static final List<Path> MOUNTS = List.of(Path.of("/scratch"), Path.of("/"));
  private static final int JOBS_USER = 54_321;
  private static final int STRANGER = 54_322;

  @TempDir Path temporary;
  private StageDirectory directory;

  @BeforeEach
  void prepare() throws IOException {
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx--x--x"));
    directory = new StageDirectory(temporary.resolve("sluice"));
    directory.prepare();
  }

  @Test
  void whatOneAgentLeavesAnotherTakesOver() throws IOException {
    try (JobFiles files = directory.create(JOB, StageDirectory.thisUser(), MOUNTS, 1)) {
      files.control().publish(5, files.control().line(5).withRate(77, 1));
      assertThat(directory.adopt(JOB)).as("while another agent has it").isNull();
      assertThatThrownBy(() -> directory.create(JOB, StageDirectory.thisUser(), MOUNTS, 1))
          .hasMessage("job 4711 is looked after already");
    }
    assertThat(directory.jobs()).containsExactly(JOB);
    try (JobFiles files = Objects.requireNonNull(directory.adopt(JOB))) {
      assertThat(files.control().line(5).millionths()).isEqualTo(77);
      assertThat(files.control().line(6).unlimited()).isTrue();
      assertThat(files.control().mounts()).isEqualTo(MOUNTS);
      files.delete();
    }
    assertThat(directory.jobs()).isEmpty();
  }

  @Test
  void anyIdMakesAFileName() {
    SeededCases.forAll(
        500,
        random -> {
          StringBuilder id = new StringBuilder();
          int length = random.nextInt(1, 26);
          for (int i = 0; i < length; i++) {
            id.appendCodePoint(random.nextInt(3) == 0 ? random.nextInt(33, 127) : 'ü' + i);
          }
          JobId job = JobId.of(id.toString());
          Path made = directory.directoryOf(job);
          assertThat(made.getParent()).isEqualTo(directory.path().resolve("jobs"));
          assertThat(made.normalize()).isEqualTo(made);
          Files.createDirectories(made);
          assertThat(directory.jobs()).containsExactly(job);
          Files.delete(made);
        });
    assertThatThrownBy(() -> directory.directoryOf(JobId.of("/".repeat(100))))
        .hasMessageContaining("expected an id that makes a file name of at most");
  }

  @Test
  void badFilesAreNotTakenOver() throws IOException {
    directory.create(JOB, StageDirectory.thisUser(), MOUNTS, 1).close();
    Path state = directory.directoryOf(JOB).resolve("state");
    byte[] good = Files.readAllBytes(state);
    Files.write(state, new byte[good.length]);
    assertThatThrownBy(() -> directory.adopt(JOB)).hasMessageContaining("not of the same job");
    Files.write(state, good);
    Path control = directory.directoryOf(JOB).resolve("control");
    Files.write(control, new byte[100]);
    assertThatThrownBy(() -> directory.adopt(JOB)).hasMessageContaining("131072 bytes");
    Files.write(control, new byte[131_072]);
    assertThatThrownBy(() -> directory.adopt(JOB)).hasMessageContaining("another version");
  }

  @Test
  void aStateThatItsJobCutsShortReadsAsZeros() throws IOException {
    try (JobFiles files = directory.create(JOB, StageDirectory.thisUser(), MOUNTS, 1);
        FileChannel channel = FileChannel.open(files.stateFile(), StandardOpenOption.WRITE)) {
      channel.truncate(10);
      assertThat(files.state().usage().get(Operation.READ)).isEqualTo(OperationUsage.NOTHING);
      assertThat(files.state().tickets()).containsOnly(0);
      assertThat(files.state().firstClaims(new long[64], 0)).containsOnly(StateFile.NOBODY);
      files.delete();
    }
  }

  @Test
  void badMountPointsAreRefused() {
    for (List<Path> mounts :
        List.of(
            List.<Path>of(),
            List.of(Path.of("relative")),
            List.of(Path.of("/a/../b")),
            List.of(Path.of("/" + "x".repeat(70_000))))) {
      assertThatThrownBy(() -> directory.create(JOB, 0, mounts, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected");
    }
  }

  @Test
  void onlyTheJobsUserGetsAtItsFiles() throws Exception {
    assumeWeCanBecomeOthers();
    try (JobFiles files = directory.create(JOB, JOBS_USER, MOUNTS, 1)) {
      String job = files.directory().toString();
      assertThat(as(JOBS_USER, "test -r $0/control && test ! -w $0/control", job)).isZero();
      assertThat(as(JOBS_USER, "test -r $0/state && test -w $0/state", job)).isZero();
      assertThat(as(JOBS_USER, "chmod 666 $0/state", job)).isNotZero();
      for (String attempt :
          List.of(
              "cat $0/control",
              "cat $0/state",
              "echo x >> $0/state",
              "rm -f $0/state",
              "mv $0/state $0/other",
              "ln $0/state /tmp/sluice-stolen",
              "echo x > $0/new",
              "cat $0/lock",
              "ls $0",
              "ls $0/..")) {
        assertThat(as(STRANGER, attempt, job)).as(attempt).isNotZero();
      }
      for (String attempt : List.of("rm -f $0/state", "mv $0/control $0/other")) {
        assertThat(as(JOBS_USER, attempt, job)).as("the job's user: " + attempt).isNotZero();
      }
      files.delete();
    }
  }

  @Test
  void aJobCannotFillTheFileSystemOfAllOthers() throws Exception {
    assumeWeCanBecomeOthers();
    try (JobFiles files = directory.create(JOB, JOBS_USER, MOUNTS, 1)) {
      Assumptions.assumeFalse(
          Files.getFileStore(files.directory()).equals(Files.getFileStore(directory.path())),
          "nothing can be mounted here");
      String job = files.directory().toString();
      assertThat(as(JOBS_USER, "head -c 10000000 /dev/zero >> $0/state", job)).isNotZero();
      assertThat(as(JOBS_USER, "fallocate -l 10000000 $0/state", job)).isNotZero();
      // Longer by holes, as any file may become, takes nothing from anybody.
      assertThat(as(JOBS_USER, "truncate -s 1000000000000 $0/state", job)).isZero();
      assertThat(files.control().mounts()).isEqualTo(MOUNTS);
      files.control().publish(5, files.control().line(5).withRate(77, 1));
      assertThat(files.state().belongsTo(files.control().token())).isTrue();
      files.delete();
    }
    assertThat(directory.jobs()).isEmpty();
  }

  /** Root can, but for those whom a user namespace does not know. */
  private void assumeWeCanBecomeOthers() throws Exception {
    NativeBuild.assumeInstalled("setpriv");
    Assumptions.assumeTrue(as(JOBS_USER, "true", "") == 0, "we cannot become others");
  }

  private int as(int user, String script, String job) throws Exception {
    return NativeBuild.run(
            Map.of(),
            Path.of("/"),
            List.of(
                "setpriv",
                "--reuid",
                String.valueOf(user),
                "--regid",
                String.valueOf(user),
                "--clear-groups",
                "sh",
                "-c",
                script,
                job))
        .code();
  }
}
