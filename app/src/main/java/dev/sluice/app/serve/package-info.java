/** The commands that run a gateway, and those that talk to one that runs. */
@NullMarked
package dev.sluice.app.serve;

import org.jspecify.annotations.NullMarked;
