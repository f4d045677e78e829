/**
 * A small HTTP server: routes, roles, whole answers and streams of events. It knows nothing of what
 * is asked over it.
 */
@NullMarked
package dev.sluice.web.server;

import org.jspecify.annotations.NullMarked;
