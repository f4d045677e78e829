/** How jobs get their compute nodes. */
@NullMarked
package dev.sluice.sim.batch;

import org.jspecify.annotations.NullMarked;
