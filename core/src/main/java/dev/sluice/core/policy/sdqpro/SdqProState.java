package dev.sluice.core.policy.sdqpro;

import dev.sluice.core.policy.Cluster;

/**
 * What is remembered from one slot to the next.
 *
 * @param random what the random choices to come follow from
 */
public record SdqProState(Cluster cluster, long random) {}
