/** The one way from what was seen to what is in force, whoever drives it and with what clock. */
@NullMarked
package dev.sluice.core.policy.cycle;

import org.jspecify.annotations.NullMarked;
