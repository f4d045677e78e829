/** The one list of papers. */
@NullMarked
package dev.sluice.papers.registry;

import org.jspecify.annotations.NullMarked;
