/** Lustre's own command line, and a server's parameters through it. */
@NullMarked
package dev.sluice.lustre.lctl;

import org.jspecify.annotations.NullMarked;
