/** Mathematics of fair division that several policies share. */
@NullMarked
package dev.sluice.core.fair;

import org.jspecify.annotations.NullMarked;
