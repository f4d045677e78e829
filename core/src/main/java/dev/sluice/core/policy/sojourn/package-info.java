/** Our own: phases one after another, none later than by fair sharing. */
@NullMarked
package dev.sluice.core.policy.sojourn;

import org.jspecify.annotations.NullMarked;
