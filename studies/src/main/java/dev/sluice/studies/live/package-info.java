/** PADLL's experiments with real programs on this machine. */
@NullMarked
package dev.sluice.studies.live;

import org.jspecify.annotations.NullMarked;
