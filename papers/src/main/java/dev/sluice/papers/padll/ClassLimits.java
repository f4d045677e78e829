package dev.sluice.papers.padll;

import dev.sluice.papers.Chapter;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Picture;
import dev.sluice.papers.Trial;
import java.util.ArrayList;
import java.util.List;

/** Section V-B, figure 6: limits of a class of operations. */
final class ClassLimits implements Experiment {
  @Override
  public List<Trial> trials(long seed) {
    return List.of();
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    List<Claim> claims = new ArrayList<>();
    List<Picture> pictures = new ArrayList<>();
    List<LimitedLoad> panels =
        List.of(Loads.metadata(outcomes.seed()), Loads.data(outcomes.seed()));
    for (LimitedLoad panel : panels) {
      LimitedReplay replay = panel.run();
      claims.add(panel.held("V-B." + (claims.size() + 1), replay));
      pictures.add(panel.picture(replay));
    }
    return new Chapter(
        "V-B Limits of a class",
        "The same for a class: all metadata operations of a job, of which 48 % are getattr, 22 %"
            + " close, 14 % open and the rest rename, under limits that change every 6 minutes;"
            + " and the data that a training reads, under limits that change every 5.",
        claims,
        List.of(LimitedLoad.table(panels)),
        pictures);
  }
}
