/** The NFS gateway as a whole. */
@NullMarked
package dev.sluice.gateway;

import org.jspecify.annotations.NullMarked;
