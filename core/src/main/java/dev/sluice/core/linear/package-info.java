/** Linear programs of packing: the seam to whatever solves them, and solvers of our own. */
@NullMarked
package dev.sluice.core.linear;

import org.jspecify.annotations.NullMarked;
