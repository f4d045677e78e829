/** The control plane: controllers, aggregators, and how they are. */
@NullMarked
package dev.sluice.app.control;

import org.jspecify.annotations.NullMarked;
