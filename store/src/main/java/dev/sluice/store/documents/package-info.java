/**
 * What a controller is to hold everybody to, as a document that people write: read, compared,
 * resolved for an instant, and kept with its history.
 */
@NullMarked
package dev.sluice.store.documents;

import org.jspecify.annotations.NullMarked;
