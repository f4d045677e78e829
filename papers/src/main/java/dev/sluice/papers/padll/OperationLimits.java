package dev.sluice.papers.padll;

import static dev.sluice.papers.Condition.atLeast;

import dev.sluice.papers.Chapter;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Figure;
import dev.sluice.papers.Notation;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Picture;
import dev.sluice.papers.Trial;
import java.util.ArrayList;
import java.util.List;

/** Section V-A, figure 6: limits of one type of operation. */
final class OperationLimits implements Experiment {
  /** The paper says "several periods"; its limits for data hold for a minute. */
  private static final int SEVERAL_PERIODS_SECONDS = 3 * 60;

  @Override
  public List<Trial> trials(long seed) {
    return List.of();
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    long seed = outcomes.seed();
    List<LimitedLoad> panels =
        List.of(Loads.open(seed), Loads.getattr(seed), Loads.read(seed), Loads.write(seed));
    List<Claim> claims = new ArrayList<>();
    List<Picture> pictures = new ArrayList<>();
    int as = 0;
    int above = 0;
    int seconds = 0;
    for (LimitedLoad panel : panels) {
      LimitedReplay replay = panel.run();
      claims.add(panel.held("V-A." + (claims.size() + 1), replay));
      pictures.add(panel.picture(replay));
      as += replay.secondsAsArrived();
      above += replay.secondsAboveArrivals();
      seconds += replay.seconds();
    }
    claims.add(
        seconds(
            "V-A.5",
            "over several periods padll follows the curve of baseline: where the limit is higher",
            "as much is served as arrives",
            as,
            seconds));
    claims.add(
        seconds(
            "V-A.6",
            "in others it serves more than baseline: what was held back before",
            "more is served than arrives",
            above,
            seconds));
    return new Chapter(
        "V-A Limits of an operation",
        "One job, one type of operation, and a limit that somebody changes every 6 minutes for"
            + " metadata and every minute for data. Requests go one by one through the limits that"
            + " stand in front of any scheduler; a request stands for 100 metadata operations, or"
            + " for 4 MiB. The paper shows its limits in a figure only: these are ours.",
        claims,
        List.of(LimitedLoad.table(panels)),
        pictures);
  }

  private static Claim seconds(String id, String paper, String what, int count, int all) {
    return new Claim(
        id,
        paper,
        List.of(
            Figure.of("seconds in which " + what, count, Notation.COUNT),
            Figure.of("of", all, Notation.COUNT)),
        atLeast("seconds in which " + what, SEVERAL_PERIODS_SECONDS));
  }
}
