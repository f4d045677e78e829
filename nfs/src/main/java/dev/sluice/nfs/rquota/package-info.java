/**
 * RQUOTA, by which clients ask how much of a quota is used (versions 1 and 2; version 2 is Linux's
 * and knows groups). No RFC describes it; it is what {@code rpcsvc/rquota.x} says everywhere.
 */
@NullMarked
package dev.sluice.nfs.rquota;

import org.jspecify.annotations.NullMarked;
