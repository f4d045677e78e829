package dev.sluice.core.classify;

import dev.sluice.core.model.Flow;

/**
 * What the rules made of a request.
 *
 * @param flow the request's flow, charged to the job that the rules say
 * @param trafficClass the class of the rule that matched, or {@link RuleSet#DEFAULT_CLASS}
 */
public record Classified(Flow flow, String trafficClass) {}
