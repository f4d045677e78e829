/** NFS version 3 and its MOUNT protocol, RFC 1813: numbers and words of both sides. */
@NullMarked
package dev.sluice.nfs.nfs3;

import org.jspecify.annotations.NullMarked;
