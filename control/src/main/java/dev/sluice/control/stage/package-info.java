/** Nodes whose programs run under the stage: what they did, and what each may do. */
@NullMarked
package dev.sluice.control.stage;

import org.jspecify.annotations.NullMarked;
