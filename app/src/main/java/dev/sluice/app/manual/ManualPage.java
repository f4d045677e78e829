package dev.sluice.app.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The manual page of a command, from what its {@code --help} says, for {@code man}. */
final class ManualPage {
  private final CommandSpec spec;
  private final StringBuilder text = new StringBuilder();

  private ManualPage(CommandSpec spec) {
    this.spec = spec;
  }

  /** Its name without directory: {@code sluice-agent-add.1} for {@code sluice agent add}. */
  static String file(CommandSpec spec) {
    return spec.qualifiedName("-") + ".1";
  }

  /**
   * In the form that man reads.
   *
   * @param version of Sluice, for the foot of the page
   */
  static String of(CommandSpec spec, String version) {
    ManualPage page = new ManualPage(spec);
    page.write(version);
    return page.text.toString();
  }

  private void write(String version) {
    UsageMessageSpec usage = spec.usageMessage();
    List<String> description = lines(usage.description());
    String title = spec.qualifiedName("-").toUpperCase(Locale.ROOT);
    text.append(".TH ").append(escaped(title)).append(" 1 \"\" \"").append(escaped(version));
    text.append("\" \"Sluice\"\n");
    section("NAME");
    line(spec.qualifiedName("-") + " \\- " + escaped(first(description)));
    section("SYNOPSIS");
    text.append(".nf\n");
    Help help = new Help(spec, Help.defaultColorScheme(Ansi.OFF));
    line(escaped(help.synopsis(0).strip()));
    text.append(".fi\n");
    section("DESCRIPTION");
    paragraph(description);
    arguments();
    commands();
    List<String> footer = lines(usage.footer());
    if (!footer.isEmpty()) {
      section("NOTES");
      paragraph(footer);
    }
    section("SEE ALSO");
    line(related());
  }

  private void arguments() {
    List<ArgSpec> shown = new ArrayList<>();
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      shown.add(parameter);
    }
    for (OptionSpec option : spec.options()) {
      shown.add(option);
    }
    shown.removeIf(ArgSpec::hidden);
    if (shown.isEmpty()) {
      return;
    }
    section("OPTIONS");
    for (ArgSpec argument : shown) {
      text.append(".TP\n");
      line("\\fB" + escaped(names(argument)) + "\\fR");
      String described = String.join(" ", lines(argument.description()));
      line(described.isEmpty() ? "\\&" : escaped(described));
    }
  }

  private static String names(ArgSpec argument) {
    if (argument instanceof OptionSpec option) {
      String names = String.join(", ", option.names());
      return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
    }
    return argument.paramLabel();
  }

  private void commands() {
    if (spec.subcommands().isEmpty()) {
      return;
    }
    section("COMMANDS");
    for (CommandLine command : spec.subcommands().values()) {
      CommandSpec each = command.getCommandSpec();
      if (!each.usageMessage().hidden()) {
        text.append(".TP\n");
        line("\\fB" + escaped(each.name()) + "\\fR");
        line(escaped(first(lines(each.usageMessage().description()))));
      }
    }
  }

  /** The page above, and those beside it. */
  private String related() {
    List<String> names = new ArrayList<>();
    CommandSpec above = spec.parent();
    if (above != null) {
      names.add(above.qualifiedName("-"));
    }
    spec.subcommands()
        .values()
        .forEach(each -> {
          if (!each.getCommandSpec().usageMessage().hidden()) {
            names.add(each.getCommandSpec().qualifiedName("-"));
          }
        });
    List<String> pages = new ArrayList<>();
    names.forEach(name -> pages.add("\\fB" + escaped(name) + "\\fR(1)"));
    pages.add("the pages in /usr/share/doc/sluice");
    return String.join(", ", pages);
  }

  private void section(String name) {
    text.append(".SH ").append(name).append('\n');
  }

  private void line(String line) {
    // A line that begins with a dot or a quote would be a request of its own.
    boolean request = line.startsWith(".") || line.startsWith("'");
    text.append(request ? "\\&" : "").append(line).append('\n');
  }

  /** As it stands in the help: what is indented there is an example or a table. */
  private void paragraph(List<String> lines) {
    text.append(".nf\n");
    lines.forEach(each -> line(escaped(each)));
    text.append(".fi\n");
  }

  private static String first(List<String> description) {
    String line = description.isEmpty() ? "part of Sluice" : description.getFirst();
    int end = line.indexOf(": ");
    String shorter = end > 0 ? line.substring(0, end) : line;
    return shorter.endsWith(".") ? shorter.substring(0, shorter.length() - 1) : shorter;
  }

  private static List<String> lines(String[] help) {
    List<String> lines = new ArrayList<>();
    for (String each : help) {
      Ansi.OFF.new Text(String.format(each))
          .toString()
          .lines()
          .map(String::stripTrailing)
          .forEach(lines::add);
      if (each.isEmpty()) {
        lines.add("");
      }
    }
    while (!lines.isEmpty() && lines.getFirst().isEmpty()) {
      lines.removeFirst();
    }
    while (!lines.isEmpty() && lines.getLast().isEmpty()) {
      lines.removeLast();
    }
    return lines;
  }

  /**
   * The help speaks of the launcher in a tree of sources; where it is installed, it is on the PATH.
   */
  private static String escaped(String text) {
    return text.replace("./sluice", "sluice").replace("\\", "\\e").replace("-", "\\-");
  }
}
