/** AdapTBF: tokens by priority, lent to who needs them, and given back. */
@NullMarked
package dev.sluice.core.policy.adaptbf;

import org.jspecify.annotations.NullMarked;
