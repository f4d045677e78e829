/** The server's side of MOUNT version 3 (RFC 1813, section 5.0): from a path to a first handle. */
@NullMarked
package dev.sluice.gateway.mount3;

import org.jspecify.annotations.NullMarked;
