/** The form of the sources: how they are laid out, and how they are brought into that form. */
@NullMarked
package dev.sluice.tidy;

import org.jspecify.annotations.NullMarked;
