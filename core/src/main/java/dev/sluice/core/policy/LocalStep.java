package dev.sluice.core.policy;

import dev.sluice.core.schedule.Shares;

/**
 * What came of a look at one target between two decisions.
 *
 * @param shares what is to be in force there; what was decided itself where nothing is to be done
 * @param explanation what was done, and for whom: its reasons name those alone who have something
 *     else than was decided
 */
public record LocalStep(Shares shares, Explanation explanation) {}
