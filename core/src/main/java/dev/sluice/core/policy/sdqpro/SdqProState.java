package dev.sluice.core.policy.sdqpro;

/**
 * What is remembered from one slot to the next.
 *
 * @param random what the random choices to come follow from
 */
public record SdqProState(long random) {}
