/** The experiments of GIFT, figures 7 to 14, in simulation. */
@NullMarked
package dev.sluice.papers.gift;

import org.jspecify.annotations.NullMarked;
