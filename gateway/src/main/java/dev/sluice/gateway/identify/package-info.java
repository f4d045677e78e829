/** Who is behind a call: which job is charged, and at which target it waits. */
@NullMarked
package dev.sluice.gateway.identify;

import org.jspecify.annotations.NullMarked;
