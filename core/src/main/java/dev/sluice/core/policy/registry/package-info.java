/** The one list of policies. */
@NullMarked
package dev.sluice.core.policy.registry;

import org.jspecify.annotations.NullMarked;
