/** What is kept of what happened: samples and events. */
@NullMarked
package dev.sluice.history.model;

import org.jspecify.annotations.NullMarked;
