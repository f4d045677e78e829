package dev.sluice.app.documented;

import dev.sluice.app.Cli;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command that a document tells people to give.
 *
 * @param source the document
 * @param isExample whether it stands as a line of its own, to be copied, and not in a sentence
 */
record DocumentedCommand(String source, ShellWords.Command command, boolean isExample) {
  private static final Pattern IN_A_SENTENCE = Pattern.compile("`(\\./sluice[^`]*)`");
  private static final Pattern IN_A_COMMENT = Pattern.compile("(?m)^# ?.*: (\\./sluice .*)$");
  private static final Pattern IN_HELP = Pattern.compile("^(?:Examples?: | {10})(\\./sluice .*)$");
  private static final String FENCE = "```";

  List<String> words() {
    return command.words();
  }

  String text() {
    return String.join(" ", command.words());
  }

  @Override
  public String toString() {
    return source + ": ./sluice " + text();
  }

  /** Those of all documents, help texts and comments in examples. */
  static List<DocumentedCommand> all() {
    List<DocumentedCommand> found = new ArrayList<>();
    for (String name : List.of("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md")) {
      inMarkdown(name, text(Cli.inTree(name)), found);
    }
    for (Path file : filesIn("docs")) {
      if (file.toString().endsWith(".md")) {
        inMarkdown(name(file), text(file), found);
      }
    }
    for (Path file : filesIn("examples")) {
      inComments(name(file), text(file), found);
    }
    for (Map.Entry<String, List<String>> help : Cli.helpTexts().entrySet()) {
      inHelp(help.getKey() + " --help", help.getValue(), found);
    }
    return found;
  }

  private static List<Path> filesIn(String directory) {
    try (Stream<Path> files = Files.walk(Cli.inTree(directory))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(Path file) {
    return Cli.inTree("").relativize(file).toString();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void inMarkdown(String source, String text, List<DocumentedCommand> found) {
    StringBuilder prose = new StringBuilder();
    boolean inBlock = false;
    for (String line : joined(text.lines().toList())) {
      if (line.strip().startsWith(FENCE)) {
        inBlock = !inBlock;
      } else if (inBlock) {
        String stripped = line.strip();
        String command = stripped.startsWith("$ ") ? stripped.substring(2) : stripped;
        if (command.startsWith("./sluice ")) {
          add(source, command, true, found);
        }
      } else {
        prose.append(line).append(' ');
      }
    }
    Matcher sentence = IN_A_SENTENCE.matcher(prose);
    while (sentence.find()) {
      add(source, sentence.group(1).replaceAll("\\s+", " "), false, found);
    }
  }

  private static void inComments(String source, String text, List<DocumentedCommand> found) {
    Matcher comment = IN_A_COMMENT.matcher(text);
    while (comment.find()) {
      add(source, comment.group(1), true, found);
    }
  }

  private static void inHelp(String source, List<String> lines, List<DocumentedCommand> found) {
    for (String line : joined(lines)) {
      Matcher example = IN_HELP.matcher(line);
      if (example.matches()) {
        add(source, example.group(1), true, found);
      }
    }
  }

  private static void add(
      String source, String line, boolean isExample, List<DocumentedCommand> found) {
    for (ShellWords.Command command : ShellWords.commands(line)) {
      found.add(new DocumentedCommand(source, command, isExample));
    }
  }

  /** Lines, those that end with a backslash together with what follows. */
  private static List<String> joined(List<String> lines) {
    List<String> joined = new ArrayList<>();
    String begun = "";
    for (String line : lines) {
      if (line.endsWith("\\")) {
        begun += line.substring(0, line.length() - 1).stripTrailing() + " ";
      } else {
        joined.add(begun.isEmpty() ? line : begun + line.strip());
        begun = "";
      }
    }
    return joined;
  }
}
