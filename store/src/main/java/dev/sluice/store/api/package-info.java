/** What a controller remembers, asked for and changed over HTTP. */
@NullMarked
package dev.sluice.store.api;

import org.jspecify.annotations.NullMarked;
