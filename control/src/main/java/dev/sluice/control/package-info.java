/** The control plane: controller, aggregators, and what connects nodes to them. */
@NullMarked
package dev.sluice.control;

import org.jspecify.annotations.NullMarked;
