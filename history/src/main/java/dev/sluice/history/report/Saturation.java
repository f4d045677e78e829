package dev.sluice.history.report;

/**
 * A time in which a target served all that it could.
 *
 * @param saturatedMillis for how long of it, if samples are longer than a second
 * @param queuedMax the most requests that waited
 * @param busiestJob who moved most in it; {@link dev.sluice.history.model.Sample#OTHERS} for many
 */
public record Saturation(
    String target,
    long fromMillis,
    long toMillis,
    long saturatedMillis,
    int queuedMax,
    String busiestJob) {}
