/** Runs a scenario under a policy in virtual time. */
@NullMarked
package dev.sluice.sim;

import org.jspecify.annotations.NullMarked;
