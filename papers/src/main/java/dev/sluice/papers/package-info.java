/**
 * Experiments of publications, repeated: what the paper says, what we see with several seeds, what
 * is compared with what, and the verdict.
 */
@NullMarked
package dev.sluice.papers;

import org.jspecify.annotations.NullMarked;
