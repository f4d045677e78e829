/** The sim command: a scenario under several policies. */
@NullMarked
package dev.sluice.app.sim;

import org.jspecify.annotations.NullMarked;
