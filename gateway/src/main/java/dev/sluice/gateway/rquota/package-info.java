/**
 * The server's side of RQUOTA: what {@code quota} on a client shows is what the file system says.
 */
@NullMarked
package dev.sluice.gateway.rquota;

import org.jspecify.annotations.NullMarked;
