package dev.sluice.core.policy.sojourn;

/**
 * What {@link SojournRates} made of one job.
 *
 * @param quiet whether it did next to nothing
 * @param spare whether it leaves some of its fair rate to others
 * @param expectedTokens what its phase will come to; 0 where nobody knows
 * @param restTokens what is left of that
 * @param aheadTokens what it was served before its time
 * @param leftSeconds by when its phase is done by the virtual schedule; infinite where nobody knows
 */
record SojournRate(
    SojournRates.Claim claim,
    double perSecond,
    double fairPerSecond,
    boolean quiet,
    boolean spare,
    double expectedTokens,
    double restTokens,
    double aheadTokens,
    double leftSeconds) {}
