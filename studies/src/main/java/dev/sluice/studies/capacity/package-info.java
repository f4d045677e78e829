/** Tries in virtual time how well a capacity is found, on storages that differ. */
@NullMarked
package dev.sluice.studies.capacity;

import org.jspecify.annotations.NullMarked;
