/** PADLL: what a storage system can serve a second, divided among jobs. */
@NullMarked
package dev.sluice.core.policy.padll;

import org.jspecify.annotations.NullMarked;
