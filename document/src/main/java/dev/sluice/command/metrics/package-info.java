/** What a program measures, in the text form that Prometheus collects. */
@NullMarked
package dev.sluice.command.metrics;

import org.jspecify.annotations.NullMarked;
