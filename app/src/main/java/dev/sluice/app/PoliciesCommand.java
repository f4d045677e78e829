package dev.sluice.app;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.registry.PolicyRegistry;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the policies, or tells about one. */
@Command(
    name = "policies",
    description =
        "List the policies, or tell about one: its source, what it needs, what can be set.",
    mixinStandardHelpOptions = true)
final class PoliciesCommand implements Runnable {
  private static final int WIDTH = 88;

  @Spec @Nullable CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "The policy to tell about.")
  @Nullable String name;

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter out = command.commandLine().getOut();
    if (name == null) {
      list(out);
      return;
    }
    try {
      tell(Policies.ALL.policy(name).info(), out);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }

  private static void list(PrintWriter out) {
    for (PolicyFactory policy : Policies.ALL.policies()) {
      PolicyInfo info = policy.info();
      out.printf("%-12s %s%n", info.name(), info.summary());
    }
    out.println();
    out.println(
        PolicyRegistry.OF_NEW_CONFIGURATIONS
            + " is the default of new configurations: sluice setup writes it, and docs/policies/"
            + PolicyRegistry.OF_NEW_CONFIGURATIONS
            + ".md says why.");
    out.println(
        "A gateway whose configuration names no policy has "
            + PolicyRegistry.WHERE_NONE_IS_NAMED
            + ".");
    out.println("./sluice policies NAME tells more about one.");
  }

  private static void tell(PolicyInfo info, PrintWriter out) {
    out.println(info.name() + ": " + info.summary());
    out.println();
    wrap(info.description()).forEach(out::println);
    out.println();
    out.println("source     " + info.source());
    out.println("decides    about " + info.scope().text());
    out.println("every      " + Quantities.formatDuration(info.periodNanos()));
    out.println("scheduler  " + info.scheduler().text());
    List<String> needs = info.needs().stream().sorted().map(PolicyInfo.Need::text).toList();
    out.println("needs      " + (needs.isEmpty() ? "nothing" : String.join(", ", needs)));
    if (info.parameters().isEmpty()) {
      out.println("parameters none");
      return;
    }
    out.println("parameters (decide --set NAME=VALUE)");
    for (PolicyInfo.Parameter parameter : info.parameters()) {
      out.printf(
          "  %s = %s%n      %s%n", parameter.name(), parameter.defaultValue(), parameter.meaning());
    }
  }

  private static List<String> wrap(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (line.length() + word.length() >= WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
