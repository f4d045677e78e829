/** The measures by which jobs, targets and policies are compared, each defined once. */
@NullMarked
package dev.sluice.core.measure;

import org.jspecify.annotations.NullMarked;
