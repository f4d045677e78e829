/** Where what is in the files that agent and library share. */
@NullMarked
package dev.sluice.stage.layout;

import org.jspecify.annotations.NullMarked;
