package dev.sluice.app;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Runs the command line inside the test, as the launcher would outside it. */
public record Cli(int exitCode, String out, String err) {
  public static Cli run(String... args) {
    CommandLine commandLine = Main.commandLine(args);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    int exitCode = commandLine.execute(args);
    return new Cli(exitCode, out.toString(), err.toString());
  }

  /** Only reads the arguments; answers what is wrong with them, or nothing. */
  public static String misunderstood(String... args) {
    try {
      Main.commandLine(args).parseArgs(args);
      return "";
    } catch (CommandLine.ParameterException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** What each command's help says around its options, line by line, by the command's name. */
  public static Map<String, List<String>> helpTexts() {
    Map<String, List<String>> texts = new TreeMap<>();
    addHelpTexts(Main.commandLine("--help").getCommandSpec(), texts);
    return texts;
  }

  private static void addHelpTexts(CommandSpec command, Map<String, List<String>> texts) {
    List<String> lines = new ArrayList<>(List.of(command.usageMessage().description()));
    lines.addAll(List.of(command.usageMessage().footer()));
    texts.put(command.qualifiedName(), lines);
    command.subcommands().values().forEach(one -> addHelpTexts(one.getCommandSpec(), texts));
  }

  /** All that a command says which is told a configuration. */
  public static String ask(Path configuration, String... words) {
    Cli cli =
        run(
            Stream.concat(Arrays.stream(words), Stream.of("-c", configuration.toString()))
                .toArray(String[]::new));
    return cli.out() + cli.err();
  }

  public static Cli runWithInput(String input, String... args) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
    try {
      return run(args);
    } finally {
      System.setIn(before);
    }
  }

  /** A file of the tree, wherever below it the test was started. */
  public static Path inTree(String path) {
    Path directory = Path.of("").toAbsolutePath();
    while (directory != null && !Files.exists(directory.resolve("sluice"))) {
      directory = directory.getParent();
    }
    if (directory == null) {
      throw new IllegalStateException("not inside the tree");
    }
    return directory.resolve(path);
  }
}
