/** What people and programs read of simulations: tables, JSON, CSV and a page with pictures. */
@NullMarked
package dev.sluice.sim.report;

import org.jspecify.annotations.NullMarked;
