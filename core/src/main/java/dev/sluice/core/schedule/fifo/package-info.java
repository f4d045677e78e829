/** No control at all: the baseline that shows what one job does to the others. */
@NullMarked
package dev.sluice.core.schedule.fifo;

import org.jspecify.annotations.NullMarked;
