/** SDQPro: a desired bandwidth for each application, and tokens that servers lend each other. */
@NullMarked
package dev.sluice.core.policy.sdqpro;

import org.jspecify.annotations.NullMarked;
