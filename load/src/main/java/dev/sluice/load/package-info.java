/** Real NFS clients that play the workloads of a scenario. */
@NullMarked
package dev.sluice.load;

import org.jspecify.annotations.NullMarked;
