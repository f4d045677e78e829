/** Phases of I/O one after another, none later than fair sharing would be done with it. */
@NullMarked
package dev.sluice.core.schedule.sojourn;

import org.jspecify.annotations.NullMarked;
