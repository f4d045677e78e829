/** Plays the jobs of a scenario with real clients, and keeps the books over what they got. */
@NullMarked
package dev.sluice.load.play;

import org.jspecify.annotations.NullMarked;
