/** What happened: the history that a gateway keeps, and the report command. */
@NullMarked
package dev.sluice.app.history;

import org.jspecify.annotations.NullMarked;
