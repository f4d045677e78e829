package dev.sluice.core.policy;

import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Why each job has what it has, where a weight orders requests and nobody is limited. */
public final class WeightReasons {
  private WeightReasons() {}

  /** What is said of a job: of its place among the shares, and of what all of them weigh. */
  @FunctionalInterface
  public interface Words {
    String of(int index, long weightSum);
  }

  /** For each job that was seen, in the order of its share. */
  public static List<Explanation.Reason> of(Observation seen, Shares shares, Words words) {
    long sum = 0;
    for (int i = 0; i < shares.size(); i++) {
      sum += shares.weight(i);
    }
    List<Explanation.Reason> reasons = new ArrayList<>(shares.size());
    for (int i = 0; i < shares.size(); i++) {
      Map<String, Number> figures = new LinkedHashMap<>();
      figures.put("nodes", seen.jobs().get(i).nodes());
      figures.put("demand", seen.jobs().get(i).wantedTokens());
      if (shares.phaseTokens(i) > 0) {
        figures.put("phase", shares.phaseTokens(i));
      }
      if (shares.reservedParts(i) > 0) {
        figures.put("reserved", shares.reserved(i));
      }
      figures.put("allocated", Double.POSITIVE_INFINITY);
      reasons.add(new Explanation.Reason(shares.job(i), figures, words.of(i, sum)));
    }
    return reasons;
  }
}
