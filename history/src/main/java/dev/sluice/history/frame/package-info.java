/**
 * Files of records that only grow, each with its checksum: what a writer that died left is whole.
 */
@NullMarked
package dev.sluice.history.frame;

import org.jspecify.annotations.NullMarked;
