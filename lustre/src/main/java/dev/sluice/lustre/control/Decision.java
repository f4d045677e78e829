package dev.sluice.lustre.control;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.policy.Explanation;
import dev.sluice.lustre.tbf.WantedRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was decided for the next period.
 *
 * @param wanted the rules that should be there
 * @param before the rule of others that new ones go in front of
 * @param jobs the jobs that were active, in ascending order
 * @param servedRpcs what the service served, and at least what was counted of jobs
 * @param unknownRpcs how many of these are no job's, as far as anybody can tell
 * @param queue what the service said of its queue
 * @param compensation what rates of jobs that are held back were multiplied by
 * @param exactly whether rates are to be written as they are, however near those are that hold
 * @param belief what the service is believed to be able to do; null where that was told
 * @param explanation the policy's own reasons
 */
public record Decision(
    List<WantedRule> wanted,
    String before,
    List<JobReport> jobs,
    long servedRpcs,
    long unknownRpcs,
    QueueFacts queue,
    double compensation,
    boolean exactly,
    @Nullable CapacityBelief belief,
    Explanation explanation) {}
