package dev.sluice.app.reproduce;

import dev.sluice.app.FailedException;
import dev.sluice.app.InterruptGuard;
import dev.sluice.app.OutputDirectory;
import dev.sluice.app.ProgressBar;
import dev.sluice.app.ProgressOption;
import dev.sluice.app.SeedOption;
import dev.sluice.app.StopGuard;
import dev.sluice.app.TemporaryDirectory;
import dev.sluice.papers.Evidence;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Paper;
import dev.sluice.papers.Reproduction;
import dev.sluice.papers.Verdict;
import dev.sluice.papers.registry.Papers;
import dev.sluice.studies.live.PadllLive;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
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
      Reproduction reproduction =
          live
              ? live(progress, errors)
              : PaperRuns.simulated(paper, random.seed(), seeds, progress);
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
      // They are different every time, and so worth more than what they prove.
      PaperRuns.printTables(reproduction, text);
    }
    text.println();
    text.println(reproduction.summary());
    if (out != null) {
      text.println(files.size() + " files in " + out + ", report.html to begin with");
    }
  }
}
