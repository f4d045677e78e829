/** ThemisIO: composite fairness by a lottery. */
@NullMarked
package dev.sluice.core.policy.themis;

import org.jspecify.annotations.NullMarked;
