/** The top command: who does what on a gateway, live in a terminal. */
@NullMarked
package dev.sluice.app.top;

import org.jspecify.annotations.NullMarked;
