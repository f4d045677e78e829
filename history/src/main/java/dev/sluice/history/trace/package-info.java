/** A trace of demand, tenth of a second by tenth, in a file that survives its writer. */
@NullMarked
package dev.sluice.history.trace;

import org.jspecify.annotations.NullMarked;
