package dev.sluice.core.period;

/**
 * One idea of what a burst is.
 *
 * @param level the level of the history that is looked at
 * @param background what is not counted
 * @param gapBins bursts with no more empty bins between them are one
 * @param volumeMin smaller bursts are noise
 */
record View(int level, Background background, int gapBins, double volumeMin) {}
