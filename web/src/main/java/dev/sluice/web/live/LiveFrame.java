package dev.sluice.web.live;

import java.util.List;

/**
 * What one second looked like.
 *
 * @param number one more than that of the second before
 * @param lastChange the number of the last change in the audit trail
 * @param numbers of the jobs of each target, in the status's order
 */
record LiveFrame(
    long number, long atMillis, long lastChange, LiveStatus status, List<List<Long>> numbers) {}
