package dev.sluice.app.reproduce;

import dev.sluice.app.FailedException;
import dev.sluice.app.Policies;
import dev.sluice.app.ProgressBar;
import dev.sluice.app.Table;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.papers.Chapter;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Paper;
import dev.sluice.papers.Reproduction;
import dev.sluice.papers.Trial;
import dev.sluice.sim.report.ReportTable;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.run.SimRuns;
import dev.sluice.sim.run.StandardSimulator;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** Runs what papers need in simulation, and shows their tables. */
final class PaperRuns {
  private PaperRuns() {}

  /** The paper's experiments with so many seeds from the first on. */
  static Reproduction simulated(
      Paper paper, long firstSeed, int seeds, @Nullable ProgressBar progress) {
    List<List<Chapter>> bySeed = new ArrayList<>();
    for (int i = 0; i < seeds; i++) {
      long seed = firstSeed + i;
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
    return new Reproduction(paper, firstSeed, seeds, bySeed);
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

  /** All tables over all seeds, as text. */
  static void printTables(Reproduction reproduction, PrintWriter text) {
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
}
