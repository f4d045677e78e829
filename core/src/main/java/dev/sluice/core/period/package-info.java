/**
 * Finds the period of a job's I/O: how far apart the starts of its phases of I/O are, from nothing
 * but when it moved how many bytes.
 */
@NullMarked
package dev.sluice.core.period;

import org.jspecify.annotations.NullMarked;
