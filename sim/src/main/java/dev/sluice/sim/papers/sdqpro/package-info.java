/** The experiments of SDQPro, repeated. */
@NullMarked
package dev.sluice.sim.papers.sdqpro;

import org.jspecify.annotations.NullMarked;
