package dev.sluice.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Operation;
import dev.sluice.stage.layout.StageLayout;
import dev.sluice.stage.library.LibraryFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/stage.md says which call is which operation, of which class, and says it of every call. */
class DocumentedCallsTest {
  private static final Path PAGE = Path.of("..", "docs", "stage.md");
  private static final Path SOURCES = Path.of("native", "src");

  private static final Pattern ROW = Pattern.compile("\\| `(\\S+)` \\| `(\\S+)` \\| (.*) \\|");
  private static final Pattern NAME = Pattern.compile("`([a-z][a-z0-9_]*)`");

  /** A call that one line of the sources says everything of. */
  private static final Pattern CALL =
      Pattern.compile(
          "(?:(?:TWO_)?PATHS?(?:_AT)?|DESCRIPTOR)_CALL\\((\\w+), [^,]+?, (\\w+),"
              + "|DATA_CALL\\((\\w+), (\\w+),");

  /** What the library has for others than the program. */
  private static final Set<String> NO_CALLS = Set.of("asan_default_options");

  @Test
  void everyOperationHasItsClass() throws IOException {
    Map<String, String> classes = new TreeMap<>();
    for (Operation operation : StageLayout.OPERATIONS) {
      classes.put(operation.text(), operation.operationClass().text());
    }
    Map<String, String> documented = new TreeMap<>();
    rows().forEach(row -> documented.put(row.group(1), row.group(2)));

    assertThat(documented).isEqualTo(classes);
  }

  @Test
  void everyCallOfTheLibraryIsOnThePageAndNoOther() throws Exception {
    NativeBuild.assumeInstalled("objdump");
    String symbols =
        NativeBuild.run(
                Map.of(), Path.of("/"), List.of("objdump", "-T", LibraryFile.path().toString()))
            .assertSucceeded()
            .output();
    Set<String> calls = new TreeSet<>();
    symbols
        .lines()
        .filter(line -> line.contains(" .text\t"))
        .forEach(line -> calls.add(plain(line.substring(line.lastIndexOf(' ') + 1))));
    calls.removeAll(NO_CALLS);

    String section = section();
    Set<String> documented = new TreeSet<>();
    for (String line : section.lines().toList()) {
      Matcher row = ROW.matcher(line);
      names(row.matches() ? row.group(3) : line).forEach(documented::add);
    }
    StageLayout.OPERATIONS.forEach(operation -> {
      if (!calls.contains(operation.text())) {
        documented.remove(operation.text());
      }
    });
    // Files that are buffered, as examples.
    documented.removeAll(Set.of("fread", "fprintf", "stat64"));

    assertThat(documented).containsExactlyElementsOf(calls);
  }

  @Test
  void callsAreChargedAsThePageSays() throws IOException {
    Map<String, String> documented = new HashMap<>();
    rows().forEach(row -> documented.put(row.group(1), row.group(3)));
    int checked = 0;
    for (Path source : sources()) {
      for (MatchResult call : CALL.matcher(Files.readString(source)).results().toList()) {
        String operation = call.group(1) == null ? call.group(3) : call.group(1);
        String name = plain(call.group(2) == null ? call.group(4) : call.group(2));
        if (!operation.equals("operation")) {
          String row = documented.get(operation.toLowerCase(Locale.ROOT));
          assertThat(names(row == null ? "" : row).toList())
              .as(name + " in " + source)
              .contains(name);
          checked++;
        }
      }
    }
    assertThat(checked).isGreaterThan(100);
  }

  private static List<MatchResult> rows() throws IOException {
    return section()
        .lines()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .<MatchResult>map(Matcher::toMatchResult)
        .toList();
  }

  private static String section() throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf("## What counts as what");
    assertThat(from).isNotNegative();
    return page.substring(from, page.indexOf("\n## ", from));
  }

  private static Stream<String> names(String text) {
    return NAME.matcher(text).results().map(result -> result.group(1));
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files.filter(file -> file.toString().endsWith(".c")).sorted().toList();
    }
  }

  /** A call's name without what only says how it was compiled. */
  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT)
        .replaceFirst("^_+", "")
        .replaceFirst("_chk$", "")
        .replaceFirst("64v2$", "2")
        .replaceFirst("_2$", "")
        .replaceFirst("64(_r|_open|_close)?$", "$1")
        .replaceFirst("^([lf]?)xstat", "$1stat")
        .replaceFirst("^xmknod", "mknod");
  }
}
