/** Simulated nodes over real connections, to measure controllers with. */
@NullMarked
package dev.sluice.control.measure;

import org.jspecify.annotations.NullMarked;
