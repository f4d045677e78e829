/** The one list of schedulers. */
@NullMarked
package dev.sluice.core.schedule.registry;

import org.jspecify.annotations.NullMarked;
