/** Targets in virtual time: the same schedulers as in production in front of a modelled device. */
@NullMarked
package dev.sluice.sim.storage;

import org.jspecify.annotations.NullMarked;
