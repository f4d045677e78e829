package dev.sluice.sim.papers;

/**
 * Something that a paper says, held against what we see.
 *
 * @param id the section and a number: {@code IV-D.1}
 * @param paper what the paper says, in our words
 * @param ours what we see, with figures
 * @param holds whether it does
 */
public record Claim(String id, String paper, String ours, boolean holds) {}
