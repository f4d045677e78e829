/** Every policy on every paper's experiments, and on some that no policy was made for. */
@NullMarked
package dev.sluice.papers.arena;

import org.jspecify.annotations.NullMarked;
