/** Exported directory trees: what NFS asks of files, done as the caller by the kernel. */
@NullMarked
package dev.sluice.gateway.files;

import org.jspecify.annotations.NullMarked;
