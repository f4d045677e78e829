/** Memory for what is under way: buffers that are used again, and a bound on all of them. */
@NullMarked
package dev.sluice.gateway.memory;

import org.jspecify.annotations.NullMarked;
