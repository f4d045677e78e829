/** What is limited, and to how much. */
@NullMarked
package dev.sluice.stage.limit;

import org.jspecify.annotations.NullMarked;
