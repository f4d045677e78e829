/** ThemisIO's experiments, as far as they are described, for the arena. */
@NullMarked
package dev.sluice.papers.themis;

import org.jspecify.annotations.NullMarked;
