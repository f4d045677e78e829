/** The commands that make and revoke keys. */
@NullMarked
package dev.sluice.app.keys;

import org.jspecify.annotations.NullMarked;
