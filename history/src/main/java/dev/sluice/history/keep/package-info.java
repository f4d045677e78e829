/** Keeps the history and the alerts of a program that runs, whichever it is. */
@NullMarked
package dev.sluice.history.keep;

import org.jspecify.annotations.NullMarked;
