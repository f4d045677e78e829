/** Solvers of linear programs that are native code. */
@NullMarked
package dev.sluice.lp;

import org.jspecify.annotations.NullMarked;
