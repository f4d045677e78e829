/** History over HTTP, as JSON. */
@NullMarked
package dev.sluice.history.api;

import org.jspecify.annotations.NullMarked;
