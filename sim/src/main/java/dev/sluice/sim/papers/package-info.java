/**
 * Experiments of publications, repeated: what the paper says, what we see, and whether it holds.
 */
@NullMarked
package dev.sluice.sim.papers;

import org.jspecify.annotations.NullMarked;
