/** Commands that run programs under limits, and change these. */
@NullMarked
package dev.sluice.app.stage;

import org.jspecify.annotations.NullMarked;
