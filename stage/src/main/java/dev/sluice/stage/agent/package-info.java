/** The agent of a node: it keeps the limits of jobs alive and gives account of what they do. */
@NullMarked
package dev.sluice.stage.agent;

import org.jspecify.annotations.NullMarked;
