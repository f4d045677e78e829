/** Limits in front of any scheduler, which hold whatever a policy decides. */
@NullMarked
package dev.sluice.core.schedule.limit;

import org.jspecify.annotations.NullMarked;
