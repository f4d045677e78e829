/** What storage can do, found by trying it. */
@NullMarked
package dev.sluice.studies.calibrate;

import org.jspecify.annotations.NullMarked;
