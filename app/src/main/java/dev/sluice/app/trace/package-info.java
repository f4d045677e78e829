/** The record and whatif commands: live demand, and what other policies would have made of it. */
@NullMarked
package dev.sluice.app.trace;

import org.jspecify.annotations.NullMarked;
