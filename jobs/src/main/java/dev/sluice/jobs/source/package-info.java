/** Where the directory of jobs comes from, as configurations say it. */
@NullMarked
package dev.sluice.jobs.source;

import org.jspecify.annotations.NullMarked;
