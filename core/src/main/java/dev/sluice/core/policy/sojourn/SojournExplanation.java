package dev.sluice.core.policy.sojourn;

import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Reserved;
import dev.sluice.core.policy.WeightReasons;
import dev.sluice.core.schedule.Shares;
import java.util.List;

/** Tells what each job weighs, and what its phases are said to come to. */
record SojournExplanation(Observation seen, Reserved reserves, Shares shares)
    implements Explanation {
  @Override
  public String summary() {
    return "phases one after another on "
        + seen.target().name()
        + ": nobody is limited; a phase of known size is done by the date of fair sharing, the"
        + " others share by weight"
        + (reserves.isEmpty() ? "" : "; what is reserved comes first: " + reserves.words());
  }

  @Override
  public List<Reason> reasons() {
    return WeightReasons.of(seen, shares, this::words);
  }

  private String words(int index, long weightSum) {
    long told = shares.phaseTokens(index);
    return (shares.reservedParts(index) > 0 ? reserves.words(index, shares) + "; " : "")
        + "weight "
        + shares.weight(index)
        + " of "
        + weightSum
        + (told > 0
            ? ": somebody told that its phases come to "
                + told
                + " tokens, which is believed while they do"
            : ": its phases are taken for what its last ones were");
  }
}
