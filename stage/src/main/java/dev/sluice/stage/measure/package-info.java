/** What {@code ./sluice bench stage} measures from the agent's side. */
@NullMarked
package dev.sluice.stage.measure;

import org.jspecify.annotations.NullMarked;
