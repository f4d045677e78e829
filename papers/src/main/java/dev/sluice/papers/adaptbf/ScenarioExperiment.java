package dev.sluice.papers.adaptbf;

import dev.sluice.papers.Chapter;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Picture;
import dev.sluice.papers.Trial;
import java.util.ArrayList;
import java.util.List;

/** An experiment that is one scenario under the four policies, with the pictures the paper has. */
abstract class ScenarioExperiment implements Experiment {
  private final String scenario;
  private final String heading;
  private final String text;

  ScenarioExperiment(String scenario, String heading, String text) {
    this.scenario = scenario;
    this.heading = heading;
    this.text = text;
  }

  @Override
  public final List<Trial> trials(long seed) {
    List<Trial> trials = new ArrayList<>(PolicyRuns.trials(scenario, seed));
    trials.addAll(ownTrials(seed));
    return trials;
  }

  @Override
  public final Chapter conclude(Outcomes outcomes) {
    PolicyRuns runs = PolicyRuns.of(scenario, outcomes);
    List<Picture> pictures = new ArrayList<>(runs.timelines());
    pictures.addAll(ownPictures(runs));
    pictures.add(runs.bars());
    pictures.add(runs.gains());
    return new Chapter(heading, text, claims(runs, outcomes), runs.tables(), pictures);
  }

  abstract List<Claim> claims(PolicyRuns runs, Outcomes outcomes);

  /** Runs that only this experiment needs. */
  List<Trial> ownTrials(long seed) {
    return List.of();
  }

  /** Pictures that only this experiment has. */
  List<Picture> ownPictures(PolicyRuns runs) {
    return List.of();
  }
}
