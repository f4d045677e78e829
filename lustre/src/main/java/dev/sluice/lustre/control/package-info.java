/** The loop on one server: what jobs did, what AdapTBF decides, which rules follow from it. */
@NullMarked
package dev.sluice.lustre.control;

import org.jspecify.annotations.NullMarked;
