/** AdapTBF on a Lustre server's own token bucket filter. */
@NullMarked
package dev.sluice.lustre;

import org.jspecify.annotations.NullMarked;
