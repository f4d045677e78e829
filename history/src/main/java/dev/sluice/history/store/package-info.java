/**
 * History on disk: segments that only grow, each record with its checksum, bounded in time and
 * size.
 */
@NullMarked
package dev.sluice.history.store;

import org.jspecify.annotations.NullMarked;
