/** The command that measures what a directory's storage can do. */
@NullMarked
package dev.sluice.app.calibrate;

import org.jspecify.annotations.NullMarked;
