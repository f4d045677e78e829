package dev.sluice.sim.papers.adaptbf;

import dev.sluice.sim.papers.Claim;
import dev.sluice.sim.papers.Picture;
import dev.sluice.sim.papers.Texts;
import dev.sluice.sim.result.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Section IV-F: who lent gets back when its own time comes. */
final class RecompensationExperiment extends ScenarioExperiment {
  static final String SCENARIO = "recompensation";

  /** When job 3's second process begins to write all the time. */
  private static final double JOB_3_BEGINS_SECONDS = 80;

  RecompensationExperiment() {
    super(
        SCENARIO,
        "IV-F Token re-compensation",
        "Four jobs of equal priority. Jobs 1 to 3 have a process that writes in small bursts and"
            + " one that writes all the time from 20, 50 and 80 s on; job 4 has 16 processes that"
            + " write all the time. The files are larger than the paper's, or job 4 would be done"
            + " before job 3 begins.");
  }

  @Override
  List<Claim> claims(Runs runs) {
    return List.of(onPar(runs), farAbove(runs), record(runs), gains(runs));
  }

  @Override
  List<Picture> ownPictures(Runs runs) {
    return List.of(
        runs.figure("record", "Record of each job over time: lent above, borrowed below"),
        runs.figure("demand", "Demand of each job over time"));
  }

  private static Claim onPar(Runs runs) {
    double ratio = runs.total("adaptbf") / runs.total("none");
    return new Claim(
        "IV-F.1",
        "the aggregate is on par with No BW",
        String.format(
            Locale.ROOT,
            "%s against %s: %.1f %%",
            Runs.megabytes(runs.total("adaptbf")),
            Runs.megabytes(runs.total("none")),
            100 * ratio),
        ratio > 0.97);
  }

  private static Claim farAbove(Runs runs) {
    double gain = runs.total("adaptbf") / runs.total("static") - 1;
    return new Claim(
        "IV-F.2",
        "the aggregate is far above Static BW",
        Texts.change(gain) + " (Static BW " + Runs.megabytes(runs.total("static")) + ")",
        gain > 0.25);
  }

  private static Claim record(Runs runs) {
    Timeline record = Runs.figure(runs.result("adaptbf").jobs().get(2), "record");
    int begins = (int) (JOB_3_BEGINS_SECONDS * 1e9 / record.widthNanos());
    double first = record.value(Math.min(10, begins));
    double at = record.value(begins);
    double last = record.value(record.size() - 1);
    double highest = 0;
    int highestAt = 0;
    for (int i = 0; i < record.size(); i++) {
      if (record.value(i) > highest) {
        highest = record.value(i);
        highestAt = i;
      }
    }
    double highestSeconds = highestAt * record.widthNanos() / 1e9;
    return new Claim(
        "IV-F.3",
        "job 3's record rises for 80 s and then falls",
        String.format(
            Locale.ROOT,
            "%.0f tokens at 1 s, %.0f at 80 s, highest at %.1f s, %.0f at its end",
            first,
            at,
            highestSeconds,
            last),
        at > first && Math.abs(highestSeconds - JOB_3_BEGINS_SECONDS) < 2 && last < 0.5 * at);
  }

  private static Claim gains(Runs runs) {
    List<String> parts = new ArrayList<>();
    boolean holds = true;
    for (String than : List.of("none", "static")) {
      for (int job = 1; job <= 3; job++) {
        double gain = runs.gain(job, than);
        parts.add("job " + job + " " + Texts.change(gain));
        holds &= gain > Runs.GAIN_MIN;
      }
      parts.set(
          parts.size() - 3,
          "against " + Runs.POLICIES.get(than) + " " + parts.get(parts.size() - 3));
    }
    return new Claim(
        "IV-F.4", "jobs 1 to 3 gain against No BW and Static BW", String.join(", ", parts), holds);
  }
}
