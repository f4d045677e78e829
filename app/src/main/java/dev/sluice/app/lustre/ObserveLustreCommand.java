package dev.sluice.app.lustre;

import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.control.Decision;
import dev.sluice.lustre.control.LustreAgent;
import dev.sluice.lustre.control.PeriodReport;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Decides everything and does nothing. */
@Command(
    name = "observe",
    description = {
      "Show what jobs do and what the policy would give them, and change nothing.",
      "",
      "The filter need not be on.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: ./sluice lustre observe -c examples/lustre/oss.yaml --periods 5"})
public final class ObserveLustreCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin ConfigurationOption configuration = new ConfigurationOption();

  @Option(names = "--json", description = "Print JSON for programs, an object for each period.")
  boolean json;

  @Option(
      names = "--jobs",
      paramLabel = "NUMBER",
      description = "How many jobs to show (default: ${DEFAULT-VALUE}).")
  int jobs = 20;

  @Option(
      names = "--periods",
      paramLabel = "NUMBER",
      description = "End after so many decisions (default: run until stopped).")
  long periods = Long.MAX_VALUE;

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    LustreConfiguration read = configuration.read();
    new AgentRun(out)
        .run(
            () -> LustreAgent.looking(read, ConfigurationOption.lctl(read)),
            periods,
            _ -> AgentRun.Beside.of(report -> print(report, read, out)));
  }

  private void print(PeriodReport report, LustreConfiguration read, PrintWriter out) {
    if (json) {
      out.println(LustreJson.period(report));
      out.flush();
      return;
    }
    out.println(LustreText.period(report, read));
    report.problems().forEach(problem -> out.println("note: " + problem));
    Decision decision = report.decision();
    if (decision != null) {
      out.println("  " + decision.explanation().summary());
      LustreText.jobs(report, jobs).forEach(out::println);
    }
    out.flush();
  }
}
