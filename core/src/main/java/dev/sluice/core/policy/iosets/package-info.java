/** IO-Sets: jobs with similar periods are a set, and sets with shorter periods come first. */
@NullMarked
package dev.sluice.core.policy.iosets;

import org.jspecify.annotations.NullMarked;
