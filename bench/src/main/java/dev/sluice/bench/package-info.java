/** Measurements; see docs/performance.md for what they are held against. */
@NullMarked
package dev.sluice.bench;

import org.jspecify.annotations.NullMarked;
