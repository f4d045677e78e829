package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.nfs4.state.Figures;

/**
 * What clients of version 4 have, and were told.
 *
 * @param state what is remembered of them
 * @param slots how many calls they can have under way together
 * @param slotsKept how many of them wait for their turn
 * @param isInGrace whether clients take again what they had before a restart, and nobody opens more
 * @param delays how often a call was told to come later because its job had too much under way
 */
public record Nfs4Figures(
    Figures state, int slots, int slotsKept, boolean isInGrace, long delays) {}
