/** Weighted fair shares without limits: start-time fair queueing over a tree of shares. */
@NullMarked
package dev.sluice.core.schedule.fair;

import org.jspecify.annotations.NullMarked;
