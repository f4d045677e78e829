/** Policies on a Lustre server's own token bucket filter: what all parts of it share. */
@NullMarked
package dev.sluice.lustre;

import org.jspecify.annotations.NullMarked;
