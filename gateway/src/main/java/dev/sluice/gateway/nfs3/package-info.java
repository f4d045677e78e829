/**
 * The server's side of NFS version 3 (RFC 1813, section 3), procedure by procedure. Each procedure
 * reads all its arguments, opens the files that they name, does its work as the caller, and writes
 * its results; a {@link dev.sluice.gateway.files.FileException} on the way becomes the failure that
 * the protocol has for that procedure.
 */
@NullMarked
package dev.sluice.gateway.nfs3;

import org.jspecify.annotations.NullMarked;
