package dev.sluice.app.lustre;

import dev.sluice.app.LiveScreen;
import dev.sluice.app.service.JournalLog;
import dev.sluice.core.model.Quantities;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.config.JobLimit;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.control.LustreAgent;
import dev.sluice.lustre.control.PeriodReport;
import dev.sluice.lustre.tbf.RequestMatch;
import dev.sluice.lustre.tbf.RuleCommand;
import dev.sluice.lustre.tbf.VersionHazards;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a policy on a Lustre server's own filter until it is told to stop. */
@Command(
    name = "lustre",
    description = {
      "Look after a Lustre server: a policy on its own token bucket filter (NRS TBF).",
      "",
      "Runs as root on an OSS or MDS whose filter goes by job:",
      "  lctl set_param ost.OSS.ost_io.nrs_policies=\"tbf jobid\"",
      "Reads job_stats, writes nrs_tbf_rule, and puts everything back when it ends. FILE says",
      "what the server can do:",
      "  capacity: 4 kops/s",
      "All keys are in docs/lustre.md. Look first with ./sluice lustre observe.",
      ""
    },
    subcommands = {
      ObserveLustreCommand.class,
      TopCommand.class,
      CheckIdsCommand.class,
      RestoreCommand.class
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "It runs until Ctrl-C or SIGTERM. Rules of others are never touched, and jobs that they",
      "match are left to them. After a crash, the next start or ./sluice lustre restore takes",
      "back what was left. While it runs, ./sluice status, top, explain, record, health and",
      "dashboard show it with -c FILE, and ./sluice report what was.",
      "",
      "Examples: ./sluice lustre top",
      "          ./sluice lustre -c examples/lustre/oss.yaml --dry-run",
      "          ./sluice lustre -c examples/lustre/oss.yaml"
    })
public final class LustreCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin ConfigurationOption configuration = new ConfigurationOption();

  @Option(names = "--dry-run", description = "Print what would be written, and write nothing.")
  boolean dryRun;

  @Option(
      names = "--periods",
      paramLabel = "NUMBER",
      description = "End after so many decisions (default: run until stopped).")
  long periods = Long.MAX_VALUE;

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    JournalLog.begin("lustre");
    LustreConfiguration read = configuration.read();
    AgentRun run = new AgentRun(out);
    if (dryRun) {
      run.run(
          () -> LustreAgent.looking(read, ConfigurationOption.lctl(read)),
          periods,
          _ -> AgentRun.Beside.of(report -> print(report, read, out)));
      return;
    }
    PeriodPrinter printer = new PeriodPrinter(out, LiveScreen.onConsole(out), read);
    run.run(
        () ->
            read.observesOnly()
                ? LustreAgent.observing(read, ConfigurationOption.lctl(read))
                : LustreAgent.enforcing(read, ConfigurationOption.lctl(read)),
        periods,
        agent -> {
          begun(read, agent.version(), out);
          ShownService shown = ShownService.begin(configuration.path(), read, agent);
          shown.tell(out);
          return shown.and(printer::show);
        });
  }

  private static void begun(LustreConfiguration read, LustreVersion version, PrintWriter out) {
    out.println(
        "Lustre "
            + version
            + ", service "
            + read.service().text()
            + ", "
            + (read.bounds() == null
                ? read.capacityWords(null)
                : "whose capacity is found out while it is used")
            + ", "
            + read.policy().info().name()
            + " deciding every "
            + Quantities.formatDuration(read.periodNanos())
            + (read.observesOnly()
                ? "; observing only: nothing is enforced"
                : "; journal in " + read.state()));
    VersionHazards.notes(version).forEach(note -> out.println("note: " + note));
    for (JobLimit limit : read.limits()) {
      RequestMatch requests = limit.requests();
      String note = requests == null ? null : VersionHazards.noteOn(version, requests.fields());
      if (note != null) {
        out.println("note: limit " + limit.name() + ": " + note);
      }
    }
    out.flush();
  }

  /** As commands that an administrator could run. */
  private static void print(PeriodReport report, LustreConfiguration read, PrintWriter out) {
    out.println("# " + LustreText.period(report, read));
    report.problems().forEach(problem -> out.println("# note: " + problem));
    for (RuleCommand command : report.commands()) {
      out.println(
          "lctl set_param "
              + read.service().rulesParameter()
              + "='"
              + command.text().replace("'", "'\\''")
              + "'");
    }
    out.flush();
  }
}
