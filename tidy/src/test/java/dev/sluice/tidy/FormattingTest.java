package dev.sluice.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FormattingTest {
  private static final SourceTree TREE = SourceTree.around(Path.of(""));

  private static final String FORMATTED =
      """
      package tidy;

      import java.util.List;

      class Sample {
        List<String> words = List.of("a");
      }
      """;

  @TempDir private Path directory;

  @Test
  void everyJavaSourceIsAsTheFormatterWouldWriteIt() throws IOException {
    assertThat(TREE.javaSources()).hasSizeGreaterThan(20);
    assertThat(new SourceFormatter().unformatted(TREE)).as("run ./sluice format").isEmpty();
  }

  @Test
  void everyTextFileKeepsTheTextRules() throws IOException {
    List<String> breaches = new ArrayList<>();
    for (Path file : TREE.files()) {
      // Binary files are read too: what is no letter becomes a replacement character.
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      breaches.addAll(TextRules.breaches(pathIn(TREE, file), text));
    }
    assertThat(breaches).isEmpty();
  }

  @Test
  void everyMainPackageIsNullMarked() throws IOException {
    assertThat(packagesNotNullMarked(TREE)).isEmpty();
  }

  @Test
  void aSourceThatIsNotFormattedIsFoundAndRewritten() throws IOException {
    String untidy =
        FORMATTED.replace("  List", "\tList").replace("java.util.List;", "java.util.*;");
    SourceTree tree = treeWith("a/src/main/java/tidy/Sample.java", FORMATTED);
    Path changed = write("a/src/test/java/tidy/target/Other.java", untidy);
    write("a/target/generated/Sample.java", untidy);
    write("out/Sample.java", untidy);
    SourceFormatter formatter = new SourceFormatter();

    assertThat(formatter.unformatted(tree)).containsExactly(changed);
    assertThat(formatter.rewrite(tree)).containsExactly(changed);
    assertThat(changed).hasContent(FORMATTED.replace("java.util.List;", "java.util.*;"));
    assertThat(formatter.unformatted(tree)).isEmpty();
  }

  @Test
  void anUnusedImportIsNotFormatted() throws Exception {
    String unused = FORMATTED.replace("import java", "import java.util.Map;\nimport java");

    assertThat(new SourceFormatter().formatted(unused)).isEqualTo(FORMATTED);
  }

  @Test
  void aSourceThatCannotBeParsedIsNamed() throws IOException {
    SourceTree tree = treeWith("a/Broken.java", "class {");

    assertThatThrownBy(() -> new SourceFormatter().unformatted(tree))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Broken.java cannot be parsed: 1:");
  }

  @Test
  void aDirectoryOutsideAWorkingCopyIsRefused() {
    assertThatThrownBy(() -> SourceTree.around(directory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(directory + " is not in a working copy");
  }

  @Test
  void eachTextRuleCanBeBroken() {
    String longLine = "x".repeat(101);
    assertBreach("a/B.java", "int a; \n", "a/B.java:1: blanks at the end of the line");
    assertBreach("docs/a.md", "one\ntwo  \n", "docs/a.md:2: blanks at the end of the line");
    assertBreach("sluice", "#!/bin/sh\ntrue \n", "sluice:2: blanks at the end of the line");
    assertBreach("a/B.java", "\tint a;\n", "a/B.java:1: a tab");
    assertBreach("a/B.java", longLine + "\n", "a/B.java:1: 101 columns, at most 100 are allowed");
    assertBreach("a/pom.xml", "<a/>", "a/pom.xml: must end with one newline");
    assertBreach("a/b.c", "int a;\n\n", "a/b.c: must end with one newline");
    assertBreach("a/b.yaml", "a: 1\r\n", "a/b.yaml: has carriage returns");
    for (String word : List.of("TO" + "DO", "FIX" + "ME", "XX" + "X")) {
      assertBreach(
          "a/b.js",
          "// " + word + ": later\n",
          "a/b.js:1: a note to oneself; do it or open an issue");
    }
    assertBreach("a/B.java", "@Dis" + "abled\n", "a/B.java:1: a test that is switched off");
    assertBreach(
        "a/src/test/java/B.java",
        "Thread.sle" + "ep(100);\n",
        "a/src/test/java/B.java:1: a test that sleeps; Eventually waits for what must come about");
    assertBreach(
        "core/src/main/java/B.java",
        "System.out.println(1);\n",
        "core/src/main/java/B.java:1: core prints nothing");
  }

  @Test
  void whatNoTextRuleSpeaksOfIsLeftAlone() {
    String url = "// https://example.org/" + "x".repeat(101) + "\n";
    assertThat(TextRules.breaches("a/B.java", url)).isEmpty();
    assertThat(TextRules.breaches("a/B.java", "import a." + "x".repeat(101) + ";\n")).isEmpty();
    assertThat(TextRules.breaches("a/b.md", "x".repeat(101) + "\n")).isEmpty();
    assertThat(TextRules.breaches("app/src/main/java/B.java", "System.out.print(1);\n")).isEmpty();
    assertThat(TextRules.breaches("a.sh", "mktemp -d name.XXXXXX\n")).isEmpty();
    assertThat(TextRules.breaches("a.c", "\tint a;\n")).isEmpty();
    assertThat(TextRules.breaches("picture.png", "\t \n\n")).isEmpty();
    assertThat(TextRules.breaches("LICENSE", "text \n")).isEmpty();
    assertThat(TextRules.breaches("empty.md", "")).isEmpty();
  }

  @Test
  void aMainPackageWithoutNullMarkedIsFound() throws IOException {
    SourceTree tree = treeWith("a/src/main/java/bare/Sample.java", FORMATTED);
    write("a/src/main/java/unmarked/package-info.java", "/** Text. */\npackage unmarked;\n");
    write("a/src/main/java/marked/package-info.java", "/** T. */\n@NullMarked\npackage marked;\n");
    write("a/src/test/java/tests/SampleTest.java", FORMATTED);

    assertThat(packagesNotNullMarked(tree))
        .containsExactly("a/src/main/java/bare", "a/src/main/java/unmarked");
  }

  private static List<String> packagesNotNullMarked(SourceTree tree) throws IOException {
    TreeSet<Path> packages = new TreeSet<>();
    for (Path file : tree.javaSources()) {
      if (pathIn(tree, file).contains("/src/main/java/")) {
        packages.add(file.getParent());
      }
    }
    List<String> found = new ArrayList<>();
    for (Path directory : packages) {
      Path about = directory.resolve("package-info.java");
      if (!Files.exists(about) || !Files.readString(about).contains("\n@NullMarked\n")) {
        found.add(pathIn(tree, directory));
      }
    }
    return found;
  }

  private static void assertBreach(String path, String text, String breach) {
    assertThat(TextRules.breaches(path, text)).containsExactly(breach);
  }

  private SourceTree treeWith(String path, String text) throws IOException {
    Files.createDirectory(directory.resolve(".mvn"));
    write(path, text);
    return new SourceTree(directory);
  }

  private Path write(String path, String text) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static String pathIn(SourceTree tree, Path file) {
    return tree.root().relativize(file).toString().replace('\\', '/');
  }
}
