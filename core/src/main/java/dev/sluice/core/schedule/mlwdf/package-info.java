/** Modified largest weighted delay first: who has tokens and the most urgent queue is next. */
@NullMarked
package dev.sluice.core.schedule.mlwdf;

import org.jspecify.annotations.NullMarked;
