/** Who may do what: roles, callers, their tokens, and a log of refusals that cannot be flooded. */
@NullMarked
package dev.sluice.access;

import org.jspecify.annotations.NullMarked;
