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
import dev.sluice.app.TemporaryDirectory;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.papers.Chapter;
import dev.sluice.papers.Evidence;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Paper;
import dev.sluice.papers.Reproduction;
import dev.sluice.papers.Trial;
import dev.sluice.papers.Verdict;
import dev.sluice.papers.registry.Papers;
import dev.sluice.sim.report.ReportTable;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.run.SimRuns;
import dev.sluice.sim.run.StandardSimulator;
import dev.sluice.studies.live.PadllLive;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleConsumer;
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
      "Repeat a paper's experiments in simulation, with several seeds: what it says,",
      "what we see, what is compared with what, and the verdict. With --live, real",
      "programs run under the stage instead.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A claim holds, holds weaker, is calibrated (something was chosen looking at it),",
      "is so by construction, or does not hold; over all seeds together.",
      "",
      "With --out DIR there are also report.html (one page with pictures), results.md",
      "with its pictures, and claims.json. The same seeds give the same files.",
      "",
      "Papers, and about how long each seed takes on one core:",
      "  adaptbf   a few seconds",
      "  gift      days of hundreds of applications: a quarter of an hour",
      "  iosets    two minutes",
      "  sdqpro    a minute",
      "  padll     a few seconds; with --live five minutes",
      "",
      "Example: ./sluice reproduce adaptbf --out /tmp/adaptbf"
    })
public final class ReproduceCommand implements Runnable {
  private static final int SEEDS_MAX = 100;

  @Spec @Nullable CommandSpec spec;

  @Parameters(paramLabel = "PAPER", description = "The paper, by the name of its policy.")
  String id = "";

  @Mixin SeedOption random = new SeedOption();

  @Option(
      names = "--seeds",
      paramLabel = "COUNT",
      description = "How many seeds, from --seed on (default: ${DEFAULT-VALUE}).")
  int seeds = 5;

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
    if (seeds < 1 || seeds > SEEDS_MAX) {
      throw new ParameterException(
          command.commandLine(),
          "--seeds: " + seeds + " is out of range; expected 1 to " + SEEDS_MAX);
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
    List<List<Chapter>> bySeed = new ArrayList<>();
    for (int i = 0; i < seeds; i++) {
      long seed = random.seed() + i;
      int before = i;
      DoubleConsumer told =
          part -> {
            if (progress != null) {
              progress.update((before + part) / seeds);
            }
          };
      // One after another: the results of weeks of jobs are large, and conclusions small.
      bySeed.add(paper.conclude(run(paper.trials(seed), seed, told)));
    }
    return new Reproduction(paper, random.seed(), seeds, bySeed);
  }

  /** Programs that were started are ended before we are. */
  private Reproduction live(@Nullable ProgressBar progress, PrintWriter errors) {
    AtomicBoolean stopped = new AtomicBoolean();
    DoubleConsumer told = ProgressBar.telling(progress);
    try (TemporaryDirectory files = TemporaryDirectory.create("sluice-live-");
        StopGuard _ = new StopGuard(() -> stopped.set(true), errors)) {
      Paper paper = new PadllLive(files.directory("plays"), stopped::get, told);
      long seed = random.seed();
      return new Reproduction(
          paper, seed, 1, List.of(paper.conclude(new Outcomes(seed, Map.of()))));
    } catch (IOException | UncheckedIOException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    }
  }

  private static Outcomes run(List<Trial> trials, long seed, DoubleConsumer progress) {
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
  private static void printTables(Reproduction reproduction, PrintWriter text) {
    List<String> headings = reproduction.headings();
    for (int i = 0; i < headings.size(); i++) {
      for (ReportTable table : reproduction.tables(i)) {
        text.println();
        text.println(headings.get(i) + ". " + table.caption() + ":");
        Table lines = new Table(table.columns());
        table.rows().forEach(lines::row);
        lines.lines().forEach(line -> text.println("  " + line));
      }
    }
  }

  private void print(Reproduction reproduction, Map<String, String> files, PrintWriter text) {
    if (json) {
      text.println(reproduction.json());
      return;
    }
    text.println(reproduction.paper().citation());
    for (Evidence claim : reproduction.claims()) {
      text.println();
      text.println(claim.id() + "  " + claim.verdict().words() + " (" + claim.counts() + ")");
      text.println("  paper:     " + claim.paper());
      text.println("  condition: " + claim.criterion());
      text.println("  ours:      " + claim.ours());
      if (claim.verdict() != Verdict.HOLDS && !claim.why().isBlank()) {
        text.println("  why:       " + claim.why());
      }
    }
    if (live) {
      printTables(reproduction, text);
    }
    text.println();
    text.println(reproduction.summary());
    if (out != null) {
      text.println(files.size() + " files in " + out + ", report.html to begin with");
    }
  }
}
