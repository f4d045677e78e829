/** Makes samples from counters that only grow. */
@NullMarked
package dev.sluice.history.sample;

import org.jspecify.annotations.NullMarked;
