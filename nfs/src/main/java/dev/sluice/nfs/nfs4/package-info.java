/** What NFS version 4.1 and 4.2 say on the wire (RFC 8881, RFC 7862): numbers and their names. */
@NullMarked
package dev.sluice.nfs.nfs4;

import org.jspecify.annotations.NullMarked;
