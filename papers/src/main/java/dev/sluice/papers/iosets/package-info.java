/** The experiments of IO-Sets on BeeGFS, repeated, and what its authors left open. */
@NullMarked
package dev.sluice.papers.iosets;

import org.jspecify.annotations.NullMarked;
