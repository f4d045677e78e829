/**
 * Whose a request is: ordered rules over what is known of it, and the job and class they put it in.
 */
@NullMarked
package dev.sluice.core.classify;

import org.jspecify.annotations.NullMarked;
