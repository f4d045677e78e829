/** The library that is put in front of programs. */
@NullMarked
package dev.sluice.stage.library;

import org.jspecify.annotations.NullMarked;
