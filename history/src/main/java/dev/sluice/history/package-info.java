/** What happened: figures over time, reports and alerts. */
@NullMarked
package dev.sluice.history;

import org.jspecify.annotations.NullMarked;
