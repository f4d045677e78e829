package dev.sluice.stage.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.stage.NativeBuild;
import dev.sluice.stage.agent.StageAgent;
import dev.sluice.stage.agent.StagedJob;
import dev.sluice.stage.files.JobFiles;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.limit.LimitChange;
import dev.sluice.stage.limit.TokenLine;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs programs by sluice-run, as everybody who might. */
@Timeout(120)
class SluiceRunTest {
  /** What a run may take longer than its program alone; the benchmark looks more closely. */
  private static final long PROMISED_NANOS = 20_000_000;

  /** Every option that a job's files need, where they may be. */
  private static final String RUN = "sluice-run --directory \"$JOBS\" --mount \"$MOUNT\" ";

  @TempDir Path temporary;
  private Situation.Place here;

  @BeforeEach
  void prepare() throws Exception {
    Situation.OURSELVES.assumePossible();
    // Others come through here.
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
    here = Situation.OURSELVES.prepare(Files.createDirectory(temporary.resolve("here")));
  }

  private Situation.Place as(Situation situation) throws IOException, InterruptedException {
    situation.assumePossible();
    return situation.prepare(Files.createDirectory(temporary.resolve("there")));
  }

  private static NativeBuild.Ended succeeds(Situation.Place place, String script)
      throws IOException, InterruptedException {
    return place.run(script).assertSucceeded();
  }

  @ParameterizedTest
  @EnumSource(Situation.class)
  void everyCallIsChargedAsWhatItIs(Situation situation) throws Exception {
    Situation.Place place = as(situation);
    String said =
        succeeds(place, RUN + "--quiet --job t calls-test \"$JOBS/jobs/t\" \"$MOUNT\"").output();

    assertThat(said).isEqualTo("all held\n");
  }

  @ParameterizedTest
  @EnumSource(Situation.class)
  void aLimitHoldsByTheUsersOwnDirectory(Situation situation) throws Exception {
    Situation.Place place = as(situation);
    String said =
        succeeds(
                place,
                "sluice-run --mount \"$MOUNT\" --limit getattr=100/s"
                    + " consume stat \"$MOUNT\" 1 1 1")
            .output();

    assertHeld(said, 100);
  }

  @ParameterizedTest
  @CsvSource({
    "unshare --user",
    "unshare --user --map-root-user",
    "bwrap --bind / / --unshare-user --unshare-pid --proc /proc",
    "bwrap --ro-bind / / --dev /dev --unshare-all",
  })
  void aLimitHoldsInsideAContainer(String container) throws Exception {
    NativeBuild.assumeInstalled(container.split(" ", -1)[0]);
    Situation.Place place = as(Situation.ORDINARY_USER);
    Assumptions.assumeTrue(
        place.run(container + " true").code() == 0, container + " is not possible here");

    String said =
        succeeds(
                place,
                RUN + "--limit getattr=100/s " + container + " consume stat \"$MOUNT\" 1.5 1 1")
            .output();

    assertThat(countOf(said)).isBetween(60L, 160L);
    if (container.contains("--ro-bind")) {
      assertThat(said).contains("HELD EACH BY ITSELF");
    }
  }

  @Test
  void aContainerWithFilesOfItsOwnNeedsWhatIsPrinted() throws Exception {
    NativeBuild.assumeInstalled("bwrap");
    Situation.Place place = as(Situation.ORDINARY_USER);
    Files.writeString(
        place.mount().resolve("container"),
        "exec bwrap --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64"
            + " --ro-bind $(command -v consume) /consume --bind \"$MOUNT\" \"$MOUNT\""
            + " $(sluice-run --print-binds | sed 's/.*/--bind & &/') --unshare-all --proc /proc"
            + " --dev /dev /consume stat \"$MOUNT\" 1 1 1");
    Assumptions.assumeTrue(
        place.run("bwrap --ro-bind / / --unshare-all true").code() == 0, "no bwrap here");

    String said = succeeds(place, RUN + "--limit getattr=100/s sh \"$MOUNT/container\"").output();

    assertHeld(said, 100);
    assertThat(said).doesNotContain("HELD EACH");
    assertThat(succeeds(place, RUN + "--quiet sluice-run --print-env").output())
        .contains("LD_PRELOAD=" + place.programs().resolve("libsluice.so"))
        .containsPattern("SLUICE_STAGE=[0-9a-f]{16}@/");
  }

  @Test
  void aProgramIsStartedByteForByteAsWithoutIt() throws Exception {
    String start =
        """
        %s
        exec 7<"$0" 9>>"$MOUNT/nine" 3>&-
        trap '' PIPE USR1 CHLD
        ulimit -Sn 500
        ulimit -Sf 1000
        umask 027
        cd /usr
        export BAD="$(printf '\\200\\377')" SHELL_PROCESS=$$
        exec %s portrait 'a  b' "$(printf '\\376x\\n')" '' -- --quiet > "$MOUNT/%s"
        """;
    Path script = here.mount().resolve("script");
    for (String input : List.of(":", "exec <&-", "exec 2>&-")) {
      Files.writeString(script, start.formatted(input, "", "bare"));
      succeeds(here, "exec setsid sh \"$MOUNT/script\"");
      Files.writeString(script, start.formatted(input, RUN + "--quiet", "run"));
      succeeds(here, "exec setsid sh \"$MOUNT/script\"");

      assertThat(portrait("run", "bare")).isEqualTo(portrait("bare", "bare"));
      assertThat(portrait("bare", "bare"))
          .contains("process is the shell's", "argument a\\20\\20b", "SigIgn:", "umask 27");
    }
  }

  private String portrait(String file, String name) throws IOException {
    // Each of our own processes has pipes of its own.
    return Files.readString(here.mount().resolve(file))
        .replace("mount/" + file, "mount/" + name)
        .replaceAll("pipe:\\[\\d+]", "pipe");
  }

  @Test
  void aProgramIsTheProcessThatWasStarted() throws Exception {
    Process process = here.start("exec " + RUN + "sleep 60 2> $MOUNT/said");
    Eventually.await(
        "it has become the program",
        () ->
            Files.readString(Path.of("/proc", Long.toString(process.pid()), "comm"))
                .startsWith("sleep"));
    assertThat(process.toHandle().destroyForcibly()).isTrue();

    assertThat(process.waitFor()).isEqualTo(128 + 9);
    awaitNothingLeft();
    assertThat(here.mount().resolve("said")).content().contains("job run-" + process.pid());
  }

  @ParameterizedTest
  @CsvSource({
    "7, sh -c 'exit 7', job run-",
    "127, /no-such-program, /no-such-program: No such file",
    "127, no-such-program, no-such-program: No such file",
    "126, /etc/passwd, /etc/passwd: Permission denied",
    "126, /, /: Permission denied",
    "2, '', expected a program",
    "2, --limit opne=1/s true, '\"opne=1/s\": expected SCOPE=RATE'",
    "2, --limit open=1/h true, '\"open=1/h\": expected a rate'",
    "2, --limit open=1MB/s true, open moves no bytes",
    "2, '--limit open=1/s,open=2/s true', is limited twice",
    "2, --mount /nowhere true, '--mount /nowhere: expected a directory'",
    "2, --job '' true, expected a job id",
    "2, --not-held maybe true, '--not-held maybe: expected run or refuse'",
    "2, --nonsense true, --nonsense",
    "1, --join nobody true, '--join nobody: '",
  })
  void whatEndsItIsSaid(int code, String arguments, String words) throws Exception {
    NativeBuild.Ended ended = here.run(RUN + arguments);

    assertThat(ended.code()).as(ended.output()).isEqualTo(code);
    assertThat(ended.output()).contains(words);
    awaitNothingLeft();
  }

  @Test
  void rulesHoldOneInAnother() throws Exception {
    String rates = "--limit getattr=%s/s ";
    String inner = "consume stat \"$MOUNT\" 1 1 1";
    for (List<Integer> nested : List.of(List.of(100, 5_000), List.of(5_000, 100))) {
      String said =
          succeeds(
                  here,
                  RUN
                      + rates.formatted(nested.get(0))
                      + RUN
                      + rates.formatted(nested.get(1))
                      + inner)
              .output();
      assertHeld(said, 100);
    }
    assertThat(here.run((RUN + "-q ").repeat(5) + "true").output())
        .contains("4 limits are around this program already");
  }

  @Test
  void anAgentsLimitsHoldAboveAUsersOwn() throws Exception {
    Situation.Place place = as(Situation.ORDINARY_USER);
    JobId job = JobId.of("4711");
    StageDirectory directory = new StageDirectory(temporary.resolve("agent"));
    try (StageAgent agent = new StageAgent(directory)) {
      List<LimitChange> limits = LimitChange.parse("getattr=100/s");
      agent.add(job, Situation.STRANGER, List.of(place.mount()), limits);
      String join = "sluice-run --directory " + directory.path() + " --join 4711 ";
      String own = "--mount \"$MOUNT\" --limit getattr=5000/s consume stat \"$MOUNT\" 1 1 1";

      assertHeld(succeeds(place, join + own).output(), 100);
      assertThat(succeeds(place, join + "--print-binds").output())
          .contains(directory.directoryOf(job).toString());
      assertThat(place.run("echo x >> " + directory.directoryOf(job) + "/control").code())
          .isNotZero();
      agent.remove(job);
    }
  }

  @Test
  void aRateMayBeBelowOneASecond() throws Exception {
    assertThat(
            countOf(
                succeeds(here, RUN + "--limit getattr=0.5/s consume stat $MOUNT 3 1 1").output()))
        .isBetween(1L, 3L);
  }

  @Test
  void limitsOfARunChangeWhileItRunsAlsoWhenItsMonitorIsKilled() throws Exception {
    StageDirectory directory = new StageDirectory(here.runtime().resolve("jobs"));
    Process process = here.start("exec " + RUN + "--job 4711 --limit all=0/s stat -c %F $MOUNT");
    Path state = directory.path().resolve("jobs/4711/state");
    Eventually.await("it waits", () -> holders(state).contains(process.pid()));
    long monitor = monitorOf(directory.path().resolve("jobs/4711/lock"), process.pid());
    ProcessHandle.of(monitor).orElseThrow().destroyForcibly();
    // Longer than anything without a heartbeat is heeded.
    TimePasses.forMillis(2_500);
    assertThat(process.isAlive()).as("paused").isTrue();

    JobId job = JobId.of("4711");
    assertThat(StagedJob.changeRun(directory, JobId.of("4712"), List.of())).isFalse();
    assertThat(StagedJob.changeRun(directory, job, LimitChange.parse("all=none"))).isTrue();

    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    // Nobody was left to take the files away; the next run is.
    succeeds(here, RUN + "-q true");
    awaitNothingLeft();
  }

  @Test
  void aJobEndsWithItsLastProcess() throws Exception {
    String said =
        succeeds(
                here,
                RUN
                    + "--job 4711 --limit getattr=50/s sh -c"
                    + " 'setsid consume stat $MOUNT 3 1 1 > $MOUNT/later 2>&1 < /dev/null &'")
            .output();
    assertThat(said).contains("go on, and stay under its limits");
    assertThat(here.runtime().resolve("jobs/jobs/4711/control")).exists();

    Path later = here.mount().resolve("later");
    Eventually.await("the last process ends", () -> Files.exists(later) && Files.size(later) > 0);
    assertThat(countOf(Files.readString(later))).isBetween(60L, 165L);
    awaitNothingLeft();
  }

  @Test
  void whatIsNotHeldIsSaid() throws Exception {
    NativeBuild.program("consume-static");
    Path program = NativeBuild.program("consume-static");
    String unheld = program + " stat $MOUNT ";
    assertThat(succeeds(here, RUN + unheld + "0.1 1 1").output())
        .contains("NOT HELD (static)", "no process has loaded the library: static");
    assertThat(succeeds(here, RUN + "-q " + unheld + "0.1 1 1").output())
        .contains("NOT HELD (static)");
    assertThat(succeeds(here, RUN + "sh -c '" + unheld + "1 1 1; true'").output())
        .contains("NOT HELD: 2 processes", ": consume-static (static)\n");
    NativeBuild.Ended refused = here.run(RUN + "--not-held refuse " + unheld + "0.1 1 1");
    assertThat(refused.code()).isEqualTo(126);
    assertThat(refused.output()).contains("cannot be held (static)");
    assertThat(succeeds(here, RUN + "--not-held refuse true").output()).doesNotContain("HELD");
  }

  @Test
  void whoAsksPastTheLibraryIsSaid() throws Exception {
    NativeBuild.assumeInstalled("python3");
    Assumptions.assumeTrue(System.getProperty("os.arch").equals("amd64"), "the call's number");
    // io_setup, as libaio calls it, and long enough to be looked at.
    Path program = here.mount().resolve("asynchronous.py");
    Files.writeString(
        program,
        """
        import ctypes, time
        queue = ctypes.c_ulong()
        assert ctypes.CDLL(None).syscall(206, 8, ctypes.byref(queue)) == 0
        time.sleep(2.5)
        """);

    assertThat(succeeds(here, RUN + "python3 " + program).output())
        .contains("NOT HELD: what 1 process asked for by io_uring or libaio\n");
  }

  @Test
  void whoIsSupervisedIsHeldWithoutTheLibrary() throws Exception {
    String program = NativeBuild.program("consume-static").toString();
    String run = RUN + "--supervise ";
    NativeBuild.Ended possible = here.run(run + "true");
    Assumptions.assumeTrue(possible.code() == 0, possible.output());

    String said =
        succeeds(here, run + "--limit getattr=100/s " + program + " stat $MOUNT 1 2 2").output();

    // Each of four threads finishes the call that it is in when the time is up.
    assertThat(countOf(said)).as(said).isBetween(50L, 110L);
    assertThat(said).doesNotContain("NOT HELD").containsPattern("getattr +\\d{2,3} ");
    assertThat(here.run(run + "-q sh -c 'echo x > $MOUNT/x; cat $MOUNT/x; exit 7'"))
        .isEqualTo(new NativeBuild.Ended(7, "x\n"));
    assertThat(here.run(run + "-q /no-such-program").code()).isEqualTo(127);
    awaitNothingLeft();
  }

  @Test
  void whoIsKilledWhileSupervisedGivesBackWhatItHadReserved() throws Exception {
    Assumptions.assumeTrue(here.run(RUN + "--supervise true").code() == 0, "not possible here");
    String crowd =
        "for i in $(seq 20); do stat -c x $MOUNT >/dev/null & all=\"$all $!\"; done;"
            + " kill -9 $all; wait; stat -c last $MOUNT";
    Process process =
        here.start("exec " + RUN + "--supervise -q --limit getattr=0.5/s sh -c '" + crowd + "'");

    // Behind the others' tickets it would be its turn after 40 s.
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  @Test
  void classesAreThoseOfTheDocuments() throws Exception {
    String said = succeeds(here, "sluice-run --classes").output();
    String page = Files.readString(Path.of("..", "docs", "stage.md"));
    for (String scope : LimitKey.scopes()) {
      Matcher row =
          Pattern.compile("(?m)^\\| `" + scope + "` \\| `[a-z-]+` \\| (.*) \\|$").matcher(page);
      assertThat(said)
          .containsPattern(
              row.find()
                  ? "(?m)^  " + scope + " +" + Pattern.quote(row.group(1).replace("`", "")) + "$"
                  : "(?m)^" + scope + "$");
    }
  }

  @Test
  void bothLanguagesMeanTheSameLimits() throws Exception {
    StageDirectory directory = new StageDirectory(here.runtime().resolve("jobs"));
    List<String> limits = new ArrayList<>();
    for (LimitKey key : LimitKey.ALL) {
      limits.add(
          key.scope()
              + "="
              + key.number()
              + (key.counted() == Counted.BYTES ? ".5MiB/s" : ".000001/s"));
    }
    String text = String.join(",", limits);
    Process process = here.start("exec " + RUN + "-q --job k --limit " + text + " cat");
    Eventually.await(
        "it runs", () -> holders(directory.path().resolve("jobs/k/state")).size() == 1);
    try (JobFiles files = Objects.requireNonNull(directory.openRun(JobId.of("k")))) {
      for (LimitChange change : LimitChange.parse(text)) {
        TokenLine theirs = files.control().line(change.key().number());
        TokenLine ours =
            TokenLine.unlimitedFrom(theirs.fromUnits(), theirs.fromNanos())
                .withRate(change.millionths().getAsLong(), theirs.fromNanos());
        assertThat(theirs).as(change.toString()).isEqualTo(ours);
      }
      assertThat(files.control().mounts()).containsExactly(here.mount());
      assertThat(files.user()).isEqualTo(StageDirectory.thisUser());
    }
    process.destroyForcibly().waitFor();
    awaitNothingLeft();
  }

  /** The least of many, and of more on a machine that is busier. */
  @Test
  void aRunCostsLittle() throws Exception {
    List<String> bare = List.of("/bin/true");
    List<String> run =
        List.of(
            here.programs().resolve("sluice-run").toString(),
            "--quiet",
            "--directory",
            here.runtime().resolve("jobs").toString(),
            "/bin/true");
    long bareNanos = Long.MAX_VALUE;
    long runNanos = Long.MAX_VALUE;
    for (int i = 0; i < 20 || (i < 400 && runNanos - bareNanos >= PROMISED_NANOS); i++) {
      bareNanos = Math.min(bareNanos, nanosOf(bare));
      runNanos = Math.min(runNanos, nanosOf(run));
    }
    assertThat(runNanos - bareNanos).isLessThan(PROMISED_NANOS);

    Process process = here.start("exec " + RUN + "-q --job m --limit open=1/s cat");
    Path job = here.runtime().resolve("jobs/jobs/m");
    Eventually.await("it runs", () -> holders(job.resolve("state")).size() == 1);
    Path status = Path.of("/proc", "" + monitorOf(job.resolve("lock"), process.pid()), "status");
    String highest =
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("VmHWM:"))
            .findFirst()
            .orElseThrow();
    assertThat(Long.parseLong(highest.replaceAll("\\D", ""))).as("kB").isLessThan(3_000);
    process.destroyForcibly();
  }

  private static long nanosOf(List<String> command) throws IOException, InterruptedException {
    long beganNanos = System.nanoTime();
    assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    return System.nanoTime() - beganNanos;
  }

  private static List<Long> holders(Path file) {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(process -> maps(process).contains(file.toString()))
        .toList();
  }

  private static String maps(long process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process), "maps"));
    } catch (IOException e) {
      return "";
    }
  }

  /** The process that has a job's lock open and is not its program. */
  private static long monitorOf(Path lock, long program) throws Exception {
    Eventually.await("it is watched", () -> watching(lock, program).isPresent());
    return watching(lock, program).orElseThrow();
  }

  private static Optional<Long> watching(Path lock, long program) {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(process -> process != program && hasOpen(process, lock))
        .findFirst();
  }

  private static boolean hasOpen(long process, Path file) {
    try (var all = Files.newDirectoryStream(Path.of("/proc", Long.toString(process), "fd"))) {
      for (Path descriptor : all) {
        if (Files.readSymbolicLink(descriptor).equals(file)) {
          return true;
        }
      }
    } catch (IOException e) {
      return false;
    }
    return false;
  }

  private void awaitNothingLeft() throws Exception {
    Path jobs = here.runtime().resolve("jobs/jobs");
    Eventually.await(
        "the job's files are gone",
        () -> {
          if (!Files.exists(jobs)) {
            return true;
          }
          try (var all = Files.list(jobs)) {
            return all.findAny().isEmpty();
          }
        });
  }

  /** On a busy machine whoever is late loses what it could have had; nobody may get more. */
  private static void assertHeld(String said, double perSecond) {
    assertThat((double) countOf(said)).as(said).isBetween(perSecond * 0.4, perSecond * 1.06);
  }

  /** What consume prints: how many calls there were. */
  private static long countOf(String said) {
    return said.lines()
        .map(String::strip)
        .filter(line -> line.matches("\\d+( .*)?"))
        .mapToLong(line -> Long.parseLong(line.split(" ", -1)[0]))
        .findFirst()
        .orElseThrow(() -> new AssertionError(said));
  }
}
