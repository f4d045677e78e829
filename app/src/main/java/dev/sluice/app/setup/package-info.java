/** First steps, and what is done before a program runs: set up, check, rehearse. */
@NullMarked
package dev.sluice.app.setup;

import org.jspecify.annotations.NullMarked;
