/**
 * Finds out what a storage can do while it is used: how fast requests are to be given to it, and
 * how many at once. Pure; the caller brings the time.
 */
@NullMarked
package dev.sluice.core.capacity;

import org.jspecify.annotations.NullMarked;
