package dev.sluice.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.stage.library.LibraryFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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
