/**
 * Applications that write to several targets at once and move as fast as the slowest of them: fair
 * shares, the filling of what they leave, and the linear program of the highest bandwidth.
 */
@NullMarked
package dev.sluice.core.policy.progress;

import org.jspecify.annotations.NullMarked;
