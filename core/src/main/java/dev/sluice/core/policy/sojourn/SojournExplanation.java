package dev.sluice.core.policy.sojourn;

import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tells what each job weighs, and what its phases are said to come to. */
record SojournExplanation(Observation seen, Shares shares) implements Explanation {
  @Override
  public String summary() {
    return "phases one after another on "
        + seen.target().name()
        + ": nobody is limited; a phase of known size is done by the date of fair sharing, the"
        + " others share by weight";
  }

  @Override
  public List<Reason> reasons() {
    long sum = 0;
    for (int i = 0; i < shares.size(); i++) {
      sum += shares.weight(i);
    }
    List<Reason> reasons = new ArrayList<>(shares.size());
    for (int i = 0; i < shares.size(); i++) {
      Map<String, Number> figures = new LinkedHashMap<>();
      figures.put("nodes", seen.jobs().get(i).nodes());
      figures.put("demand", seen.jobs().get(i).wantedTokens());
      long told = shares.phaseTokens(i);
      if (told > 0) {
        figures.put("phase", told);
      }
      figures.put("allocated", Double.POSITIVE_INFINITY);
      reasons.add(
          new Reason(
              shares.job(i),
              figures,
              "weight "
                  + shares.weight(i)
                  + " of "
                  + sum
                  + (told > 0
                      ? ": somebody told that its phases come to "
                          + told
                          + " tokens, which is believed while they do"
                      : ": its phases are taken for what its last ones were")));
    }
    return reasons;
  }
}
