/** The load command: a scenario played by real NFS clients. */
@NullMarked
package dev.sluice.app.load;

import org.jspecify.annotations.NullMarked;
