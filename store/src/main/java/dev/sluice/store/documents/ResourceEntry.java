package dev.sluice.store.documents;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * Something that the storage can serve only so much of, and how it is divided.
 *
 * @param key which operations, or their bytes
 * @param maximumPerSecond what all jobs on all nodes may have together
 * @param policy the name of the policy that divides it
 * @param policySettings what was set of its parameters; the rest has its defaults
 * @param jobs on what terms single jobs have a part in it
 */
public record ResourceEntry(
    LimitKey key,
    long maximumPerSecond,
    String policy,
    Map<String, String> policySettings,
    SequencedMap<JobId, Terms> jobs) {
  public ResourceEntry {
    policySettings = Collections.unmodifiableMap(new TreeMap<>(policySettings));
    jobs = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(jobs));
  }

  /**
   * What a job may count on.
   *
   * @param demandPerSecond the rate that was agreed on with it; empty where none was
   * @param priority its weight among the others
   */
  public record Terms(OptionalLong demandPerSecond, long priority) {
    public static final Terms DEFAULT = new Terms(OptionalLong.empty(), 1);
  }

  /** The policy with what was set of it, as people write it. */
  public String policyText() {
    return policySettings.isEmpty() ? policy : policy + " " + policySettings;
  }
}
