/** A controller over HTTP: its status, explanations, documents and metrics. */
@NullMarked
package dev.sluice.control.api;

import org.jspecify.annotations.NullMarked;
