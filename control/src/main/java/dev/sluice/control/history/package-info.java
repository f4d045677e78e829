/** What a controller saw, kept on disk. */
@NullMarked
package dev.sluice.control.history;

import org.jspecify.annotations.NullMarked;
