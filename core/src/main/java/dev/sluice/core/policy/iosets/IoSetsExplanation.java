package dev.sluice.core.policy.iosets;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.iosets.IoSetsScheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Tells which set each job is in, and why. */
record IoSetsExplanation(Target target, List<Standing> standings, Shares shares)
    implements Explanation {
  private static final double NANOS_PER_SECOND = 1e9;

  @Override
  public String summary() {
    long sets = IntStream.range(0, shares.size()).mapToLong(shares::weight).distinct().count();
    return shares.size()
        + (shares.size() == 1 ? " job" : " jobs")
        + " in "
        + sets
        + (sets == 1 ? " set" : " sets")
        + " on "
        + target.name()
        + ": nobody is limited, one job of a set is served at a time, and sets share by priority";
  }

  @Override
  public List<Reason> reasons() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < shares.size(); i++) {
      least = Math.min(least, shares.weight(i));
    }
    List<Reason> reasons = new ArrayList<>(shares.size());
    for (int i = 0; i < shares.size(); i++) {
      Map<String, Number> figures = new LinkedHashMap<>();
      if (standings.get(i) instanceof Standing.Member member) {
        figures.put("period", member.periodSeconds());
        figures.put("confidence", member.confidence());
        figures.put("set", member.index());
      }
      figures.put("priority", (double) shares.weight(i) / IoSetsScheduler.PRIORITY_ONE);
      figures.put("credit", (double) shares.weight(i) / least);
      figures.put("allocated", Double.POSITIVE_INFINITY);
      reasons.add(new Reason(shares.job(i), figures, words(standings.get(i))));
    }
    return reasons;
  }

  private static String words(Standing standing) {
    return switch (standing) {
      case Standing.Alone _ ->
          "its period is not known yet, so it is a set of its own with the priority 1/50";
      case Standing.NotBefore waits ->
          String.format(
              Locale.ROOT,
              "its period is not known yet but is no less than %s, so it is in S%d until it is",
              Quantities.formatDuration((long) (waits.phaseSeconds() * NANOS_PER_SECOND)),
              waits.index());
      case Standing.Given(double priority) ->
          String.format(Locale.ROOT, "somebody gave it the priority %.9g", priority);
      case Standing.Member member ->
          String.format(
              Locale.ROOT,
              "its I/O comes every %s (confidence %.2f), which is the set S%d",
              Quantities.formatDuration((long) (member.periodSeconds() * NANOS_PER_SECOND)),
              member.confidence(),
              member.index());
    };
  }
}
