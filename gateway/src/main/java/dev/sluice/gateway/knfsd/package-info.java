/**
 * What the kernel's NFS server exports, as {@code /etc/exports} says it (exports(5)), and how the
 * same is said to a gateway.
 */
@NullMarked
package dev.sluice.gateway.knfsd;

import org.jspecify.annotations.NullMarked;
