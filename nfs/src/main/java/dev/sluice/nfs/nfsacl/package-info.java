/**
 * NFSACL version 3, by which Linux and Solaris clients of NFS version 3 see and set POSIX access
 * control lists. No RFC describes it; the names and numbers are those that Linux and Solaris agree
 * on.
 */
@NullMarked
package dev.sluice.nfs.nfsacl;

import org.jspecify.annotations.NullMarked;
