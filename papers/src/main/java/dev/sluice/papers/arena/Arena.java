package dev.sluice.papers.arena;

import dev.sluice.papers.Experiment;
import dev.sluice.papers.Paper;
import java.util.List;

/** All contests, as if they were one paper: so they are run, judged and shown like one. */
public final class Arena implements Paper {
  private final List<Contest> contests;

  public Arena(List<Contest> contests) {
    this.contests = List.copyOf(contests);
  }

  @Override
  public String id() {
    return "arena";
  }

  @Override
  public String citation() {
    return "Every policy on every paper's experiments, by that paper's own metrics. A claim is that"
        + " our policy, sojourn, is no worse there than the paper's own, or where a contest is"
        + " nobody's, than fair sharing; weaker, that it is worse by no more than 1 %.";
  }

  @Override
  public String title() {
    return "The arena: every policy on every paper's experiments";
  }

  @Override
  public String command() {
    return "arena";
  }

  @Override
  public List<Experiment> experiments() {
    return contests.stream().<Experiment>map(ContestExperiment::new).toList();
  }

  public List<Contest> contests() {
    return contests;
  }
}
