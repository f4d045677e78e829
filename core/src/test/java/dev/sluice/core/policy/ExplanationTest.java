package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.BranchShares;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.Shares;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is told about decisions, as policies tell it and in the branches of a tree of shares. */
class ExplanationTest {
  private static final JobId A = JobId.of("a");
  private static final JobId B = JobId.of("b");
  private static final JobId C = JobId.of("c");

  /** Of three jobs, the last without a word of what is guaranteed. */
  private record Told(Map<String, Number> amounts, Map<String, Number> levels)
      implements Explanation {
    @Override
    public String summary() {
      return "all is well";
    }

    @Override
    public List<Reason> reasons() {
      return List.of(
          new Reason(A, Map.of("guaranteed", 1, "allocated", 5), "why a"),
          new Reason(B, Map.of("guaranteed", 1, "allocated", 5), "why b"),
          new Reason(C, Map.of("allocated", 7), "why c"));
    }
  }

  private static final Told TOLD = new Told(Map.of("lent", 3), Map.of("owed", 9));

  /** A and b are of one user, c of another: a quarter, a quarter and half of 100 tokens. */
  @Test
  void inBranchesAJobHasItsPartOfItsBranch() {
    ShareGrouping byUser = new ShareGrouping(List.of(ShareGrouping.Level.USER), Map.of());
    long unlimited = Shares.UNLIMITED;
    Shares shares =
        Shares.ofColumns(
            new JobId[] {A, B, C},
            new long[] {unlimited, unlimited, unlimited},
            new long[] {1, 1, 1},
            1_000);
    int[] workedOut = {0};
    InBranches branches =
        new InBranches(
            TOLD,
            100,
            () -> {
              workedOut[0]++;
              return new BranchShares(
                  byUser, shares, job -> new JobOwner("", job.equals(C) ? "carol" : "alice", ""));
            });
    assertThat(workedOut[0]).as("nobody has asked").isZero();
    assertThat(branches.summary()).isEqualTo("all is well; shares are divided by user, job");
    List<Explanation.Reason> reasons = branches.reasons();
    assertThat(reasons).extracting(Explanation.Reason::job).containsExactly(A, B, C);
    assertThat(reasons.getFirst().figure("guaranteed").doubleValue()).isEqualTo(25, within(1e-9));
    assertThat(reasons.getFirst().figure("allocated")).isEqualTo(5);
    assertThat(reasons.getFirst().words())
        .isEqualTo(
            "alice / job a: 1/2 of 1/2, 25.0 %; at least that while all are busy, more while some"
                + " are not");
    assertThat(reasons.get(2).figures()).containsOnlyKeys("allocated");
    assertThat(branches.amounts()).isEqualTo(Map.of("lent", 3));
    assertThat(branches.levels()).isEqualTo(Map.of("owed", 9));
    assertThat(workedOut[0]).isEqualTo(1);
  }

  @Test
  void withoutWhatIsRememberedTheReasonsAreThoseOfFairShares() {
    WithoutMemory without = new WithoutMemory("the books are shut", TOLD);
    assertThat(without.summary())
        .isEqualTo(
            "the books are shut; so nothing is owed or redeemed, and fair shares hold: all is"
                + " well");
    assertThat(without.reasons()).isEqualTo(TOLD.reasons());
    assertThat(without.amounts()).as("nothing was lent").isEmpty();
    assertThat(without.levels()).isEmpty();
  }

  @Test
  void aFigureThatIsNotThereIsNamed() {
    Explanation.Reason reason = TOLD.reasons().getLast();
    assertThat(reason.figure("allocated")).isEqualTo(7);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> reason.figure("guaranteed"))
        .withMessage("no figure guaranteed among [allocated]");
  }

  @Test
  void whatAPolicyIsAboutAndNeedsIsSaidInWords() {
    assertThat(PolicyInfo.Scope.ALL_TARGETS.text()).isEqualTo("all targets together");
    assertThat(PolicyInfo.Scope.EACH_TARGET_ALONE.text()).contains("each target alone");
    assertThat(PolicyInfo.Need.NODES.text()).isEqualTo("nodes of each job");
  }
}
