package dev.sluice.core.policy.padll;

import dev.sluice.core.policy.Explanation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tells what each job may have beside what it demands and uses; all figures are a second's. */
record PadllExplanation(PadllAlgorithm algorithm, ResourceDivision division)
    implements Explanation {
  /** A part of an operation a second that nobody can see. */
  private static final double UNSEEN = 1e-6;

  @Override
  public String summary() {
    Resource resource = division.resource();
    int count = division.size();
    if (count == 0) {
      return "no job is there: nobody is limited on " + resource.name();
    }
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += division.rate(i);
    }
    double unused = resource.maximumPerSecond() - sum;
    return count
        + (count == 1 ? " job has " : " jobs share ")
        + resource.rate((double) resource.maximumPerSecond())
        + " of "
        + resource.name()
        + switch (algorithm) {
          case UniformLimits _ -> " alike";
          case PriorityLimits _ -> " by priority";
          case ProportionalSharing _ -> " by demand";
          case UsageSharing _ -> " by demand and usage";
        }
        + (unused > UNSEEN * sum
            ? "; " + resource.rate(unused) + " are kept for jobs that are not there"
            : "");
  }

  @Override
  public List<Reason> reasons() {
    List<Reason> reasons = new ArrayList<>(division.size());
    for (int i = 0; i < division.size(); i++) {
      JobUse use = division.use(i);
      Map<String, Number> figures = new LinkedHashMap<>();
      figures.put("demand", use.demandPerSecond());
      figures.put("usage", use.usagePerSecond());
      figures.put("priority", use.priority());
      figures.put("allocated", division.rate(i));
      reasons.add(new Reason(use.job(), figures, words(i)));
    }
    return reasons;
  }

  private String words(int index) {
    Resource resource = division.resource();
    JobUse use = division.use(index);
    String may = "may use " + resource.rate(division.rate(index));
    return switch (algorithm) {
      case UniformLimits _ -> may + ", as everybody may, whether it does or not";
      case PriorityLimits _ ->
          may + " by its priority of " + use.priority() + ", whether it does or not";
      case ProportionalSharing _ -> "demands " + demand(use) + "; " + may + compared(index);
      case UsageSharing _ ->
          "uses "
              + resource.rate(use.usagePerSecond())
              + " and demands "
              + demand(use)
              + "; "
              + may
              + compared(index);
    };
  }

  private String demand(JobUse use) {
    return division.resource().rate(use.demandPerSecond());
  }

  private String compared(int index) {
    double rate = division.rate(index);
    double demand = division.use(index).demandPerSecond();
    if (rate > demand * (1 + UNSEEN)) {
      return ", of which others leave it " + division.resource().rate(rate - demand);
    }
    if (rate >= demand * (1 - UNSEEN)) {
      return "";
    }
    boolean idle =
        algorithm instanceof UsageSharing && division.use(index).usagePerSecond() < demand;
    return idle
        ? ", and others have the rest while it does not use it"
        : ", as more is demanded than there is";
  }
}
