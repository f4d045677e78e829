/**
 * The server's side of NFSACL version 3: clients of NFS version 3 see and set the POSIX access
 * control lists that the file system has, and obeys, anyway.
 */
@NullMarked
package dev.sluice.gateway.nfsacl;

import org.jspecify.annotations.NullMarked;
