package dev.sluice.stage.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.stage.NativeBuild;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All tests of the stage once more, by those who are not root. They mostly wait, so that all
 * situations are tried at once.
 */
@Timeout(900)
@TestInstance(Lifecycle.PER_CLASS)
class EverybodyTest {
  private static final Pattern VERDICT = Pattern.compile("(\\d+) succeeded, (\\d+) failed");

  /** Of about a hundred; some need root, and skip themselves. */
  private static final int MOST = 60;

  private final Map<Situation, Suite> suites = new EnumMap<>(Situation.class);

  /** The tests, running as somebody. */
  private record Suite(Process process, Path log) {}

  @BeforeAll
  void startAll(@TempDir Path temporary) throws Exception {
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path stage = temporary.resolve("tree/stage");
    String classPath = copyForEverybody(stage);
    for (Situation situation : Situation.values()) {
      if (situation != Situation.OURSELVES && situation.hindrance().isEmpty()) {
        Path place = Files.createDirectory(temporary.resolve(situation.name()));
        suites.put(situation, start(situation.prepare(place), stage, classPath));
      }
    }
  }

  @AfterAll
  void endAll() {
    suites.values().forEach(suite -> suite.process().destroyForcibly());
  }

  /** Copies what the tests read to where everybody may read it; the class path there. */
  private static String copyForEverybody(Path stage) throws IOException, InterruptedException {
    Path target = Path.of("target").toAbsolutePath();
    copy(target.resolve("native"), stage.resolve("target/native"));
    copy(target.resolve("run"), stage.resolve("target/run"));
    copy(Path.of("native", "src"), stage.resolve("native/src"));
    copy(Path.of("..", "docs", "stage.md"), stage.resolveSibling("docs/stage.md"));
    List<String> entries = new ArrayList<>();
    String given =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String entry : given.split(File.pathSeparator, -1)) {
      Path from = Path.of(entry).toAbsolutePath();
      Path to =
          from.startsWith(target)
              ? stage.resolve("target").resolve(target.relativize(from))
              : stage.resolve("library/" + entries.size()).resolve(from.getFileName());
      if (Files.exists(from)) {
        copy(from, to);
        entries.add(to.toString());
      }
    }
    Path tree = stage.getParent();
    NativeBuild.run(Map.of(), tree, List.of("chmod", "-R", "a+rX", tree.toString()))
        .assertSucceeded();
    return String.join(File.pathSeparator, entries);
  }

  private static void copy(Path from, Path to) throws IOException, InterruptedException {
    Files.createDirectories(to.getParent());
    NativeBuild.run(
            Map.of(),
            Path.of(".").toAbsolutePath(),
            List.of("cp", "-r", "-p", from.toString(), to.toString()))
        .assertSucceeded();
  }

  private static Suite start(Situation.Place place, Path stage, String classPath)
      throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    words.addAll(List.of("-cp", classPath, TestsOfTheStage.class.getName()));
    StringBuilder script = new StringBuilder("cd '" + stage + "' && HOME=\"$MOUNT\" exec");
    words.forEach(word -> script.append(" '").append(word).append('\''));
    Path log = place.mount().resolve("log");
    script.append(" >'").append(log).append("' 2>&1");
    return new Suite(place.start(script.toString()), log);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OURSELVES")
  void theWholeStageHoldsFor(Situation situation) throws Exception {
    situation.assumePossible();
    Suite suite = suites.get(situation);
    assertThat(suite.process().waitFor()).as(Files.readString(suite.log())).isZero();

    Matcher verdict = VERDICT.matcher(Files.readString(suite.log()));
    assertThat(verdict.find()).isTrue();
    assertThat(Integer.parseInt(verdict.group(1))).isGreaterThan(MOST);
  }
}
