/** Policies in virtual time: the same objects that decide in production. */
@NullMarked
package dev.sluice.sim.control;

import org.jspecify.annotations.NullMarked;
