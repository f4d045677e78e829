/**
 * NFS version 4.1 and 4.2 (RFC 8881, RFC 7862): finds out what a COMPOUND wants, and does it on the
 * same files as version 3.
 */
@NullMarked
package dev.sluice.gateway.nfs4;

import org.jspecify.annotations.NullMarked;
