/** The command line: one class for each command. */
@NullMarked
package dev.sluice.app;

import org.jspecify.annotations.NullMarked;
