package dev.sluice.gateway.control;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What somebody said about single jobs while the gateway runs; gone with it. Immutable.
 *
 * @param jobs in ascending order
 */
record JobOverrides(Map<JobId, Setting> jobs) {
  /** Nobody said anything. */
  static final JobOverrides NONE = new JobOverrides(Map.of());

  /** More than anybody sets by hand. */
  private static final int JOBS_MAX = 1_000;

  private static final String RULE_NAME = "job ";

  JobOverrides {
    jobs = Collections.unmodifiableMap(new TreeMap<>(jobs));
  }

  /** What was said about one job; what is null was not spoken of. */
  record Setting(@Nullable Long weight, @Nullable TbfLimit limit, @Nullable Long phaseTokens) {
    static final Setting NOTHING = new Setting(null, null, null);

    /** For people. */
    String words() {
      List<String> set = new ArrayList<>();
      if (weight != null) {
        set.add("weight " + weight);
      }
      if (limit != null) {
        set.add("limit " + LimitOnJob.rate(limit));
      }
      if (phaseTokens != null) {
        set.add("phases of " + phaseTokens);
      }
      return "set by command: " + String.join(", ", set);
    }
  }

  /** With another weight, another limit or both for this job; what is null stays. */
  JobOverrides with(JobId job, @Nullable Long weight, @Nullable TbfLimit limit) {
    Setting before = jobs.getOrDefault(job, Setting.NOTHING);
    return with(
        job,
        new Setting(
            weight == null ? before.weight : weight,
            limit == null ? before.limit : limit,
            before.phaseTokens));
  }

  /** With what phases of this job come to on a target, as somebody says. */
  JobOverrides withPhase(JobId job, long tokens) {
    Setting before = jobs.getOrDefault(job, Setting.NOTHING);
    return with(job, new Setting(before.weight, before.limit, tokens));
  }

  private JobOverrides with(JobId job, Setting setting) {
    if (!jobs.containsKey(job) && jobs.size() >= JOBS_MAX) {
      throw new IllegalArgumentException(
          "there are settings for "
              + JOBS_MAX
              + " jobs already; clear some, or write them into the job file");
    }
    Map<JobId, Setting> changed = new TreeMap<>(jobs);
    changed.put(job, setting);
    return new JobOverrides(changed);
  }

  /** Without anything about this job. */
  JobOverrides without(JobId job) {
    Map<JobId, Setting> changed = new TreeMap<>(jobs);
    changed.remove(job);
    return new JobOverrides(changed);
  }

  /** The limits of single jobs, as rules. */
  List<TbfRule> limits() {
    List<TbfRule> rules = new ArrayList<>();
    jobs.forEach((job, setting) -> {
      if (setting.limit != null) {
        rules.add(new TbfRule(RULE_NAME + job, FlowMatch.ofJob(job), setting.limit, null));
      }
    });
    return rules;
  }
}
