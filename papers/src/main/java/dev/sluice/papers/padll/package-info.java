/** The experiments of PADLL, repeated. */
@NullMarked
package dev.sluice.papers.padll;

import org.jspecify.annotations.NullMarked;
