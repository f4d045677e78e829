/** Who is behind a request: which job runs where, for whom, and what it may claim. */
@NullMarked
package dev.sluice.jobs;

import org.jspecify.annotations.NullMarked;
