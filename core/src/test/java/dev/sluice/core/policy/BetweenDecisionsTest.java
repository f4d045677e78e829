package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BetweenDecisionsTest {
  private record Told(String summary, List<Reason> reasons) implements Explanation {
    @Override
    public Map<String, Number> amounts() {
      return Map.of("usable", summary.length());
    }

    @Override
    public Map<String, Number> levels() {
      return Map.of("owed", summary.length());
    }
  }

  private static Explanation.Reason reason(String job, long allocated, String words) {
    return new Explanation.Reason(JobId.of(job), Map.of("allocated", allocated), words);
  }

  private static final Told DECISION =
      new Told("decided", List.of(reason("a", 10, "has ten"), reason("c", 30, "has thirty")));

  /** A look at each of so many targets. */
  private static BetweenDecisions onTargets(int count) {
    Map<String, Explanation> since = new TreeMap<>();
    for (int i = 1; i <= count; i++) {
      since.put("t" + i, new Told(i + " lent", List.of()));
    }
    return new BetweenDecisions(DECISION, since);
  }

  @Test
  void threeTargetsAreToldOfAndTheOthersCounted() {
    assertThat(onTargets(1).summary()).isEqualTo("decided; since then on t1: 1 lent");
    String three =
        "decided; since then on t1: 1 lent; since then on t2: 2 lent; since then on t3: 3 lent";
    assertThat(onTargets(3).summary()).isEqualTo(three);
    assertThat(onTargets(5).summary()).isEqualTo(three + "; and on 2 more targets");
  }

  @Test
  void figuresOfTheWholeAreThoseOfTheDecision() {
    assertThat(onTargets(2).amounts()).isEqualTo(DECISION.amounts());
    assertThat(onTargets(2).levels()).isEqualTo(DECISION.levels());
  }

  @Test
  void whatWasDoneSinceFollowsWhatWasDecided() {
    Told look =
        new Told("lent", List.of(reason("b", 2, "may have two"), reason("c", 33, "may have more")));
    List<Explanation.Reason> reasons = new BetweenDecisions(DECISION, Map.of("t1", look)).reasons();
    assertThat(reasons)
        .extracting(Explanation.Reason::words)
        .containsExactly(
            "has ten", "on t1 may have two", "has thirty; since then on t1 may have more");
    assertThat(reasons.get(1).figures()).isEqualTo(Map.of("allocated", 2L));
    assertThat(reasons.get(2).figures())
        .isEqualTo(Map.of("allocated", 30L, "allocated on t1", 33L));
  }
}
