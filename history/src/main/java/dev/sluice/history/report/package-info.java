/** What stands out in a stretch of history. */
@NullMarked
package dev.sluice.history.report;

import org.jspecify.annotations.NullMarked;
