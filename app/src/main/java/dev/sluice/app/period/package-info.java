/** Finds the periods of recorded I/O. */
@NullMarked
package dev.sluice.app.period;

import org.jspecify.annotations.NullMarked;
