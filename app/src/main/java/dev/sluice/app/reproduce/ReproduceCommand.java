package dev.sluice.app.reproduce;

import dev.sluice.app.FailedException;
import dev.sluice.app.InterruptGuard;
import dev.sluice.app.OutputDirectory;
import dev.sluice.app.Policies;
import dev.sluice.app.ProgressBar;
import dev.sluice.app.ProgressOption;
import dev.sluice.app.SeedOption;
import dev.sluice.app.StopGuard;
import dev.sluice.app.Table;
import dev.sluice.app.sim.SimRuns;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.sim.papers.Chapter;
import dev.sluice.sim.papers.Claim;
import dev.sluice.sim.papers.Outcomes;
import dev.sluice.sim.papers.Paper;
import dev.sluice.sim.papers.Reproduction;
import dev.sluice.sim.papers.Trial;
import dev.sluice.sim.papers.registry.Papers;
import dev.sluice.sim.report.ReportTable;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.run.StandardSimulator;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Repeats a paper's experiments in simulation and holds its claims against what comes out. */
@Command(
    name = "reproduce",
    description = {
      "Repeat a paper's experiments in simulation: what it says, what we see, and",
      "whether it holds. With --live, real programs run under the stage instead.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "With --out DIR there are also report.html (one page with pictures), results.md",
      "with its pictures, and claims.json. The same seed gives the same files.",
      "",
      "Papers:",
      "  adaptbf   a few seconds",
      "  gift      weeks of hundreds of applications: about 20 minutes on one core",
      "  iosets    a minute or so",
      "  sdqpro    a minute or so",
      "  padll     a few seconds; with --live about five minutes",
      "",
      "Example: ./sluice reproduce adaptbf --out /tmp/adaptbf"
    })
public final class ReproduceCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Parameters(paramLabel = "PAPER", description = "The paper, by the name of its policy.")
  String id = "";

  @Mixin SeedOption random = new SeedOption();

  @Option(names = "--out", paramLabel = "DIR", description = "Write report and pictures there.")
  @Nullable String out;

  @Option(names = "--json", description = "Print claims.json instead of text for people.")
  boolean json;

  @Option(
      names = "--live",
      description = "With real programs on this machine instead of a simulation; for padll.")
  boolean live;

  @Mixin ProgressOption shown = new ProgressOption();

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    Paper paper;
    try {
      paper = Papers.named(id);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
    if (live && !id.equals(PadllLive.PAPER)) {
      throw new ParameterException(
          command.commandLine(),
          "--live: " + id + " is simulated only; expected " + PadllLive.PAPER);
    }
    OutputDirectory directory = out == null ? null : OutputDirectory.at(out);
    PrintWriter errors = command.commandLine().getErr();
    ProgressBar progress = shown.bar(errors, "reproducing");
    try (InterruptGuard _ = new InterruptGuard(directory, progress, errors)) {
      Reproduction reproduction = live ? live(progress, errors) : simulated(paper, progress);
      if (progress != null) {
        progress.clear();
      }
      Map<String, String> files = reproduction.files();
      if (directory != null) {
        files.forEach((name, text) -> directory.write(name, to -> to.append(text)));
        directory.publish();
      }
      print(reproduction, files, command.commandLine().getOut());
    }
  }

  private Reproduction simulated(Paper paper, @Nullable ProgressBar progress) {
    long seed = random.seed();
    return new Reproduction(paper, seed, paper.conclude(run(paper.trials(seed), progress)));
  }

  /** Programs that were started are ended before we are. */
  private Reproduction live(@Nullable ProgressBar progress, PrintWriter errors) {
    AtomicBoolean stopped = new AtomicBoolean();
    Paper paper =
        new PadllLive(
            stopped::get,
            part -> {
              if (progress != null) {
                progress.update(part);
              }
            });
    try (StopGuard _ = new StopGuard(() -> stopped.set(true), errors)) {
      long seed = random.seed();
      return new Reproduction(paper, seed, paper.conclude(new Outcomes(seed, Map.of())));
    }
  }

  private Outcomes run(List<Trial> trials, @Nullable ProgressBar progress) {
    long seed = random.seed();
    if (trials.isEmpty()) {
      return new Outcomes(seed, Map.of());
    }
    List<SimRuns.Choice> choices =
        trials.stream()
            .map(trial -> {
              PolicyFactory policy = Policies.ALL.policy(trial.policy());
              Settings settings = new Settings(policy.info(), trial.settings());
              return new SimRuns.Choice(trial.scenario(), policy, settings);
            })
            .toList();
    try {
      List<SimRuns.Outcome> outcomes =
          new SimRuns(
                  StandardSimulator::new,
                  Runtime.getRuntime().availableProcessors(),
                  System::nanoTime)
              .run(choices, seed, progress);
      Map<String, RunResult> byTrial = new HashMap<>();
      for (int i = 0; i < trials.size(); i++) {
        byTrial.put(trials.get(i).name(), outcomes.get(i).result());
      }
      return new Outcomes(seed, byTrial);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  /** A live run's figures are different every time, and so worth more than what they prove. */
  private static void printTables(Chapter chapter, PrintWriter text) {
    for (ReportTable table : chapter.tables()) {
      text.println();
      text.println(chapter.heading() + ". " + table.caption() + ":");
      Table lines = new Table(table.columns());
      table.rows().forEach(lines::row);
      lines.lines().forEach(line -> text.println("  " + line));
    }
  }

  private void print(Reproduction reproduction, Map<String, String> files, PrintWriter text) {
    if (json) {
      text.println(reproduction.json());
      return;
    }
    text.println(reproduction.paper().citation());
    for (Claim claim : reproduction.claims()) {
      text.println();
      text.println(claim.id() + "  " + (claim.holds() ? "holds" : "DOES NOT HOLD"));
      text.println("  paper: " + claim.paper());
      text.println("  ours:  " + claim.ours());
    }
    if (live) {
      reproduction.chapters().forEach(chapter -> printTables(chapter, text));
    }
    long holding = reproduction.claims().stream().filter(Claim::holds).count();
    text.println();
    text.println(holding + " of " + reproduction.claims().size() + " claims hold");
    if (out != null) {
      text.println(files.size() + " files in " + out + ", report.html to begin with");
    }
  }
}
