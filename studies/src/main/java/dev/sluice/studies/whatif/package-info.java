/** What a recorded day would have been under other policies. */
@NullMarked
package dev.sluice.studies.whatif;

import org.jspecify.annotations.NullMarked;
