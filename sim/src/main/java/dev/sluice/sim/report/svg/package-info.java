/** Pictures as SVG text: lines, stacked areas and bars, with axes, a legend and hover values. */
@NullMarked
package dev.sluice.sim.report.svg;

import org.jspecify.annotations.NullMarked;
