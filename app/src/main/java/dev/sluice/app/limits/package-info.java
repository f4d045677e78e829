/** The commands that change and show what a controller holds everybody to. */
@NullMarked
package dev.sluice.app.limits;

import org.jspecify.annotations.NullMarked;
