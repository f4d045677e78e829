/** What a history says of a time, for people. */
@NullMarked
package dev.sluice.studies.report;

import org.jspecify.annotations.NullMarked;
