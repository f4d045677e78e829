/** What a controller remembers: documents with their history, and who leads. */
@NullMarked
package dev.sluice.store;

import org.jspecify.annotations.NullMarked;
