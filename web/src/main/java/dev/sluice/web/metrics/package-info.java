/** A program's status in the text form that Prometheus collects. */
@NullMarked
package dev.sluice.web.metrics;

import org.jspecify.annotations.NullMarked;
