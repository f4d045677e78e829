/** The experiments of PADLL, repeated. */
@NullMarked
package dev.sluice.sim.papers.padll;

import org.jspecify.annotations.NullMarked;
