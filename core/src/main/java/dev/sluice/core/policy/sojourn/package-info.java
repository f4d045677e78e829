/** Our own: phases one after another, by the dates of fair sharing. */
@NullMarked
package dev.sluice.core.policy.sojourn;

import org.jspecify.annotations.NullMarked;
