package dev.sluice.app.capacity;

import dev.sluice.app.SeedOption;
import dev.sluice.app.serve.GatewayOption;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.studies.capacity.CapacityStudy;
import dev.sluice.studies.capacity.PromisesStudy;
import dev.sluice.studies.capacity.ServiceStudy;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Says what the storage behind a gateway is believed to do, and why. */
@Command(
    name = "capacity",
    description = {
      "Say what the storage behind each target of a gateway that runs is believed to do, and why:",
      "what it delivers, how many requests it is given at once, what kinds of requests cost."
    },
    mixinStandardHelpOptions = true,
    subcommands = {CapacityCommand.Models.class, CapacityCommand.Promises.class},
    footer = {
      "",
      "A bound in the configuration always wins: capacity: {at-most: 2 GB/s}.",
      "Example: ./sluice capacity"
    })
public final class CapacityCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    DocumentMap status =
        gateway.answer("status", request -> request.writeNumberProperty("jobs", 0));
    for (DocumentNode target : status.required("targets").list()) {
      print(target.openMap(), out);
    }
  }

  /** Of the policies that divide one target by weight, and keep what was promised there. */
  private static PolicyFactory chosen(String name, CommandSpec command) {
    List<String> names =
        PolicyRegistry.all().stream()
            .map(PolicyFactory::info)
            .filter(info -> info.scheduler().keepsReserves())
            .map(PolicyInfo::name)
            .toList();
    if (!names.contains(name)) {
      throw new ParameterException(
          command.commandLine(), "--policy " + name + ": expected " + String.join(" or ", names));
    }
    return PolicyRegistry.named(name);
  }

  private static void print(DocumentMap target, PrintWriter out) {
    String name = target.required("name").text();
    DocumentNode node = target.required("found");
    if (!node.isMap()) {
      out.println(name + ": " + target.required("capacity").text() + ", as the configuration says");
      return;
    }
    DocumentMap found = node.openMap();
    out.println(name + " " + found.required("words").text());
    if (!found.required("known").bool()) {
      return;
    }
    out.printf(
        Locale.ROOT,
        "  requests take %.1f times as long as in calm, where they take %s ms%n",
        found.required("stretch").number(0, Double.MAX_VALUE),
        found.required("calm_ms").text());
    for (Map.Entry<String, DocumentNode> price :
        found.required("prices").openMap().entries().entrySet()) {
      double dearness = price.getValue().number(0, Double.MAX_VALUE);
      if (Math.abs(dearness - 1) > 0.05) {
        out.printf(Locale.ROOT, "  %s: %.1f times what is usual%n", price.getKey(), dearness);
      }
    }
  }

  /** Tries in virtual time how well capacities are found. */
  @Command(
      name = "models",
      description = {
        "Try in virtual time how well a capacity is found, on 22 models of storages: what is",
        "believed (in parts of what each can do, after 30 s), how much of it is used, how long a",
        "light job's requests take (99th percentile) against the same with the capacity typed in,",
        "and what is believed 10 s after it halved and 60 s after it doubled."
      },
      mixinStandardHelpOptions = true)
  static final class Models implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin SeedOption seed = new SeedOption();

    @Option(
        names = "--seconds",
        paramLabel = "NUMBER",
        description = "For how long a steady storage is watched (default: ${DEFAULT-VALUE}).")
    int seconds = 180;

    @Option(
        names = "--lustre",
        description = {
          "Behind a filter that knows rates alone, from sums of a second each, as on a Lustre",
          "server; there is no light job then."
        })
    boolean lustre;

    @Option(
        names = "--policy",
        paramLabel = "NAME",
        description = "Who is next: fair or sojourn (default: ${DEFAULT-VALUE}).")
    String policy = "fair";

    @Override
    public void run() {
      CommandSpec command = Objects.requireNonNull(spec);
      if (seconds <= 30) {
        throw new ParameterException(
            command.commandLine(), "--seconds " + seconds + ": expected more than 30");
      }
      command
          .commandLine()
          .getOut()
          .print(
              lustre
                  ? ServiceStudy.text(new ServiceStudy(seed.seed(), seconds).run())
                  : CapacityStudy.text(
                      new CapacityStudy(seed.seed(), seconds, chosen(policy, command)).run()));
      command.commandLine().getOut().flush();
    }
  }

  /** Tries in virtual time how well promises are kept. */
  @Command(
      name = "promises",
      description = {
        "Try in virtual time how well guarantees and latency goals are kept, second by second, on",
        "22 models of storages in full use: in what part of the seconds in which the storage",
        "did what it can do a guarantee of half of it was met, and what its job had on average;",
        "within what time a light job's requests are answered in 99 of 100 seconds without a goal,",
        "its goal, in what part of the seconds that was met, in what part it would be with others",
        "held to 80 %% throughout, and what part the others kept."
      },
      mixinStandardHelpOptions = true)
  static final class Promises implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Mixin SeedOption seed = new SeedOption();

    @Option(
        names = "--seconds",
        paramLabel = "NUMBER",
        description = "For how long a storage is watched (default: ${DEFAULT-VALUE}).")
    int seconds = 330;

    @Option(names = "--told", description = "The capacity is typed in (default: it is found out).")
    boolean told;

    @Option(
        names = "--policy",
        paramLabel = "NAME",
        description = "Who is next: fair or sojourn (default: ${DEFAULT-VALUE}).")
    String policy = "fair";

    @Override
    public void run() {
      CommandSpec command = Objects.requireNonNull(spec);
      if (seconds <= 60) {
        throw new ParameterException(
            command.commandLine(), "--seconds " + seconds + ": expected more than 60");
      }
      PrintWriter out = command.commandLine().getOut();
      out.print(
          PromisesStudy.text(
              new PromisesStudy(seed.seed(), seconds, !told, chosen(policy, command)).run()));
      out.flush();
    }
  }
}
