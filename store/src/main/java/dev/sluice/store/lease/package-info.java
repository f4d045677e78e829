/**
 * Who of several controllers leads: a lease in a database that no clock but one's own is asked for.
 */
@NullMarked
package dev.sluice.store.lease;

import org.jspecify.annotations.NullMarked;
