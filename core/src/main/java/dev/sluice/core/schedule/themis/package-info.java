/** A lottery over a tree of shares, as ThemisIO draws who is served next. */
@NullMarked
package dev.sluice.core.schedule.themis;

import org.jspecify.annotations.NullMarked;
