/**
 * A Lustre service as any other target is shown: on the dashboard, over the local socket, in
 * history and metrics.
 */
@NullMarked
package dev.sluice.lustre.show;

import org.jspecify.annotations.NullMarked;
