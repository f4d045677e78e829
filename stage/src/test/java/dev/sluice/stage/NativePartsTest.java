package dev.sluice.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.stage.library.LibraryFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the tests that are written in C. */
@Timeout(300)
class NativePartsTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {"parts-test", "parts-test-thread-sanitizer", "parts-test-address-sanitizer"})
  void theLibrarysPartsHold(String name) throws Exception {
    // The thread sanitizer cannot cope with the addresses that newer kernels hand out at random.
    NativeBuild.assumeInstalled("setarch");
    assertHeld(List.of("setarch", "-R", NativeBuild.program(name).toString()));
  }

  @Test
  void valgrindFindsNothing() throws Exception {
    NativeBuild.assumeInstalled("valgrind");
    assertHeld(
        List.of(
            "valgrind",
            "-q",
            "--fair-sched=yes",
            "--error-exitcode=9",
            NativeBuild.program("parts-test").toString()));
  }

  private void assertHeld(List<String> command) throws Exception {
    NativeBuild.Ended ended = NativeBuild.run(Map.of(), directory, command).assertSucceeded();
    assertThat(ended.output()).isEqualTo("all held\n");
  }

  @Test
  void everyCallIsChargedAsWhatItIs() throws Exception {
    String program = NativeBuild.program("calls-test").toString();
    Path stage = Files.createDirectory(directory.resolve("stage"));
    Path mount = Files.createDirectory(directory.resolve("mount"));
    NativeBuild.run(
            Map.of(), directory, List.of(program, "prepare", stage.toString(), mount.toString()))
        .assertSucceeded();

    NativeBuild.Ended ended =
        NativeBuild.run(
            Map.of("LD_PRELOAD", LibraryFile.path().toString(), "SLUICE_STAGE", stage.toString()),
            directory,
            List.of(program, stage.toString(), mount.toString()));

    assertThat(ended.assertSucceeded().output()).isEqualTo("all held\n");
  }

  /** What 30 calls of access take under a limit of 50 a second, of which one may be saved up. */
  private static final int SLOW_MILLIS = 500;

  @ParameterizedTest
  @CsvSource({"50, 5000", "5000, 50"})
  void aRunWithinARunIsUnderTheLimitsOfBoth(String outerRate, String innerRate) throws Exception {
    Path outer = Files.createDirectory(directory.resolve("outer"));
    Path inner = Files.createDirectory(directory.resolve("inner"));

    int millis = passing(under(outer, outerRate, under(inner, innerRate, List.of())));

    assertThat(millis).isBetween(SLOW_MILLIS, 20 * SLOW_MILLIS);
    // The program, and the one that runs it in the inner job.
    assertThat(said("count", outer, "ACCESS")).isEqualTo("30 calls, 2 attached, 0 failed\n");
    assertThat(said("count", inner, "ACCESS")).isEqualTo("30 calls, 1 attached, 0 failed\n");
  }

  @Test
  void aJobThatIsNamedTwiceCountsOnce() throws Exception {
    Path job = Files.createDirectory(directory.resolve("job"));
    said("prepare", job, mount());
    String list = said("list", job, job).strip();

    run(list, pass(30));
    run(list + ":" + job, pass(30));

    assertThat(said("count", job, "ACCESS")).isEqualTo("60 calls, 2 attached, 0 failed\n");
  }

  @Test
  void whatCannotBeAttachedToIsToldToTheOthers() throws Exception {
    Path job = Files.createDirectory(directory.resolve("job"));
    said("prepare", job, mount());
    String good = said("list", job).strip();
    String changed = (good.charAt(0) == '0' ? "1" : "0") + good.substring(1);

    run(good + ":/nowhere", pass(1));
    run(good + ":no-directory", pass(1));
    run(good + "::", pass(1));
    assertThat(said("count", job, "ACCESS")).isEqualTo("3 calls, 3 attached, 3 failed\n");
    run(changed, pass(1));
    assertThat(said("count", job, "ACCESS")).as("another's token").startsWith("3 calls, 3 att");
  }

  /** Root has another number there, or the clock another time: the limit holds all the same. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "unshare --user",
        "unshare --user --map-root-user",
        "unshare --time --monotonic 100000 --fork",
        "unshare --time --monotonic -100 --fork"
      })
  void limitsHoldInOtherNamespaces(String wrapper) throws Exception {
    List<String> wrapped = List.of(wrapper.split(" ", -1));
    List<String> attempt = new ArrayList<>(wrapped);
    attempt.add("true");
    Assumptions.assumeTrue(
        NativeBuild.run(Map.of(), directory, attempt).code() == 0, wrapper + " is not allowed");
    Path job = Files.createDirectory(directory.resolve("job"));

    assertThat(passing(under(job, "50", wrapped))).isBetween(SLOW_MILLIS, 20 * SLOW_MILLIS);
  }

  /**
   * An address sanitizer in a library of its own wants to come first, and must start all the same.
   */
  @Test
  void programsWithAnAddressSanitizerStart() throws Exception {
    Path program = NativeBuild.program("sanitized-nothing");
    NativeBuild.run(
            Map.of("LD_PRELOAD", LibraryFile.path().toString()),
            directory,
            List.of(program.toString()))
        .assertSucceeded();
  }

  /** A command before which others can be put: one that limits its calls of access. */
  private List<String> under(Path job, String rate, List<String> command) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                NativeBuild.program("limited").toString(),
                job.toString(),
                mount().toString(),
                "ACCESS",
                rate));
    words.addAll(command);
    return words;
  }

  private Path mount() throws IOException {
    return Files.createDirectories(directory.resolve("mount"));
  }

  private List<String> pass(int calls) throws IOException {
    return List.of(
        NativeBuild.program("calls-test").toString(),
        "pass",
        mount().resolve("file").toString(),
        Integer.toString(calls));
  }

  /** How long 30 calls take that a command runs. */
  private int passing(List<String> command) throws Exception {
    List<String> words = new ArrayList<>(command);
    words.addAll(pass(30));
    NativeBuild.Ended ended =
        NativeBuild.run(Map.of("LD_PRELOAD", LibraryFile.path().toString()), directory, words);
    return Integer.parseInt(ended.assertSucceeded().output().strip());
  }

  private void run(String jobs, List<String> command) throws Exception {
    Map<String, String> environment =
        Map.of("LD_PRELOAD", LibraryFile.path().toString(), "SLUICE_STAGE", jobs);
    NativeBuild.run(environment, directory, command).assertSucceeded();
  }

  private String said(Object... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(NativeBuild.program("calls-test").toString()));
    for (Object word : words) {
      command.add(word.toString());
    }
    return NativeBuild.run(Map.of(), directory, command).assertSucceeded().output();
  }

  @Test
  void itLoadsOnSystemsOfThePastDecade() throws Exception {
    NativeBuild.assumeInstalled("objdump");
    String symbols =
        NativeBuild.run(
                Map.of(), directory, List.of("objdump", "-T", LibraryFile.path().toString()))
            .assertSucceeded()
            .output();

    assertThat(
            Pattern.compile("GLIBC_2\\.(\\d+)")
                .matcher(symbols)
                .results()
                .map(MatchResult::group)
                .distinct())
        .isNotEmpty()
        .allMatch(version -> Integer.parseInt(version.split("\\.", -1)[1]) <= 17);
    assertThat(symbols.lines().filter(line -> line.contains(" .text\t")).count())
        .as("functions that it stands in front of")
        .isGreaterThanOrEqualTo(170);
  }

  @Test
  void itIsSilentWhateverItIsPointedAt() throws IOException, InterruptedException {
    Path library = LibraryFile.path();
    Path garbage = Files.createDirectory(directory.resolve("garbage"));
    Files.write(garbage.resolve("control"), new byte[131_072]);
    Files.write(garbage.resolve("state"), new byte[100]);
    for (String stage : List.of("", "/", "/nowhere", garbage.toString(), "x".repeat(10_000))) {
      NativeBuild.Ended ended =
          NativeBuild.run(
              Map.of("LD_PRELOAD", library.toString(), "SLUICE_STAGE", stage),
              directory,
              List.of("sh", "-c", "echo hello; ls garbage"));
      assertThat(ended.assertSucceeded().output()).isEqualTo("hello\ncontrol\nstate\n");
    }
  }
}
