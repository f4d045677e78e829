package dev.sluice.sim.papers.padll;

import dev.sluice.sim.papers.Chapter;
import dev.sluice.sim.papers.Claim;
import dev.sluice.sim.papers.Experiment;
import dev.sluice.sim.papers.Outcomes;
import dev.sluice.sim.papers.Picture;
import dev.sluice.sim.papers.Trial;
import java.util.ArrayList;
import java.util.List;

/** Section V-A, figure 6: limits of one type of operation. */
final class OperationLimits implements Experiment {
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
        new Claim(
            "V-A." + (claims.size() + 1),
            "over several periods padll follows the curve of baseline: where the limit is higher",
            "in " + as + " of " + seconds + " seconds as much is served as arrives",
            as > 0));
    claims.add(
        new Claim(
            "V-A." + (claims.size() + 1),
            "in others it serves more than baseline: what was held back before",
            "in " + above + " of " + seconds + " seconds more is served than arrives",
            above > 0));
    return new Chapter(
        "V-A Limits of an operation",
        "One job, one type of operation, and a limit that somebody changes every 6 minutes for"
            + " metadata and every minute for data. Requests go one by one through the limits that"
            + " stand in front of any scheduler; a request stands for 100 metadata operations, or"
            + " for 4 MiB. The paper shows its limits in a figure only: these are ours.",
        claims,
        List.of(),
        pictures);
  }
}
