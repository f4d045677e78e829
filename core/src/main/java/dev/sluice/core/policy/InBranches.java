package dev.sluice.core.policy;

import dev.sluice.core.schedule.BranchShares;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Why each job got what it got where a scheduler divides by weight over a tree of shares: the
 * policy's reasons, with each job's branch and what that guarantees. Not thread-safe.
 */
public final class InBranches implements Explanation {
  private static final String GUARANTEED = "guaranteed";

  private final Explanation weighed;
  private final double tokensPerPeriod;
  private final Supplier<BranchShares> branches;
  private @Nullable BranchShares workedOut;

  /**
   * @param weighed the policy's own explanation, which knows of no tree
   * @param tokensPerPeriod what the target can serve in a period
   * @param branches worked out when somebody asks
   */
  public InBranches(Explanation weighed, double tokensPerPeriod, Supplier<BranchShares> branches) {
    this.weighed = weighed;
    this.tokensPerPeriod = tokensPerPeriod;
    this.branches = branches;
  }

  private BranchShares branches() {
    if (workedOut == null) {
      workedOut = branches.get();
    }
    return workedOut;
  }

  @Override
  public String summary() {
    return weighed.summary() + "; shares are divided by " + branches().grouping().words();
  }

  @Override
  public List<Reason> reasons() {
    BranchShares shares = branches();
    List<Reason> reasons = new ArrayList<>();
    for (Reason reason : weighed.reasons()) {
      Map<String, Number> figures = new LinkedHashMap<>(reason.figures());
      figures.computeIfPresent(GUARANTEED, (_, _) -> tokensPerPeriod * shares.part(reason.job()));
      reasons.add(
          new Reason(
              reason.job(),
              figures,
              shares.words(reason.job())
                  + "; at least that while all are busy, more while some are not"));
    }
    return reasons;
  }

  @Override
  public Map<String, Number> amounts() {
    return weighed.amounts();
  }

  @Override
  public Map<String, Number> levels() {
    return weighed.levels();
  }
}
