/** The one list of papers. */
@NullMarked
package dev.sluice.sim.papers.registry;

import org.jspecify.annotations.NullMarked;
