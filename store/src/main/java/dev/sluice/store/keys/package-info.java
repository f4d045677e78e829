/** Who may speak to a controller: an authority of our own, certificates, tokens. */
@NullMarked
package dev.sluice.store.keys;

import org.jspecify.annotations.NullMarked;
