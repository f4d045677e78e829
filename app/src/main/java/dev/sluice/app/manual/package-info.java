/** The manual: a page for each command, and completion for shells, made from the commands. */
@NullMarked
package dev.sluice.app.manual;

import org.jspecify.annotations.NullMarked;
