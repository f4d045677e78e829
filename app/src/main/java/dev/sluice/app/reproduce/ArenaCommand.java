package dev.sluice.app.reproduce;

import dev.sluice.app.InterruptGuard;
import dev.sluice.app.OutputDirectory;
import dev.sluice.app.ProgressBar;
import dev.sluice.app.ProgressOption;
import dev.sluice.app.SeedOption;
import dev.sluice.papers.Evidence;
import dev.sluice.papers.Reproduction;
import dev.sluice.papers.Verdict;
import dev.sluice.papers.arena.Arena;
import dev.sluice.papers.registry.Contests;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lets every policy play every paper's experiments. */
@Command(
    name = "arena",
    description = {
      "Every policy on every paper's experiments and on some that no policy was made",
      "for, with several seeds, by each paper's own metrics.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A table for each contest: medians with their ranges, and in how many metrics",
      "nobody is better. Then how sojourn does beside the paper's own policy in each",
      "metric: no worse with every seed (holds), worse by no more than 1 %% (holds",
      "weaker), or worse (does not hold). Beside that, whether it is as good within",
      "the spread of seeds; results.md says by which criterion.",
      "",
      "With --out DIR there are also report.html (one page with pictures), results.md",
      "with its pictures, and claims.json. The same seeds give the same files.",
      "",
      "Contests: adaptbf-allocation, adaptbf-redistribution, adaptbf-recompensation,",
      "iosets, iosets-servers, iosets-overload, four-kinds, sdqpro, padll-1, padll-2,",
      "padll-3, themis, gift-250, gift-500, gift-1000, mix-training, mix-storm,",
      "mix-center. All of them take two to five minutes for each seed on two cores,",
      "most of it for gift.",
      "",
      "Example: ./sluice arena iosets four-kinds --seeds 1"
    })
public final class ArenaCommand implements Runnable {
  private static final int SEEDS_MAX = 100;

  @Spec @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "CONTEST",
      arity = "0..*",
      description = "Which contests; all of them if none is named.")
  List<String> ids = new ArrayList<>();

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

  @Mixin ProgressOption shown = new ProgressOption();

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    Arena arena;
    try {
      arena = Contests.arena(ids);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
    if (seeds < 1 || seeds > SEEDS_MAX) {
      throw new ParameterException(
          command.commandLine(),
          "--seeds: " + seeds + " is out of range; expected 1 to " + SEEDS_MAX);
    }
    OutputDirectory directory = out == null ? null : OutputDirectory.at(out);
    PrintWriter errors = command.commandLine().getErr();
    ProgressBar progress = shown.bar(errors, "playing");
    try (InterruptGuard _ = new InterruptGuard(directory, progress, errors)) {
      Reproduction played = PaperRuns.simulated(arena, random.seed(), seeds, progress);
      if (progress != null) {
        progress.clear();
      }
      Map<String, String> files = played.files();
      if (directory != null) {
        files.forEach((name, text) -> directory.write(name, to -> to.append(text)));
        directory.publish();
      }
      print(played, files, command.commandLine().getOut());
    }
  }

  private void print(Reproduction played, Map<String, String> files, PrintWriter text) {
    if (json) {
      text.println(played.json());
      return;
    }
    text.println(played.paper().citation());
    PaperRuns.printTables(played, text);
    text.println();
    for (Evidence claim : played.claims()) {
      text.println(
          claim.verdict().words()
              + " ("
              + claim.counts()
              + ")"
              + (claim.verdict() != Verdict.HOLDS && claim.isWithinSpread()
                  ? ", within the spread  "
                  : "  ")
              + claim.id()
              + " "
              + claim.paper()
              + ": "
              + claim.ours());
    }
    text.println();
    text.println(played.summary());
    if (out != null) {
      text.println(files.size() + " files in " + out + ", report.html to begin with");
    }
  }
}
