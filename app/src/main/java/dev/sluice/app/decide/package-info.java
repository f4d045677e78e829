/** The decide command: what would a policy do, and why. */
@NullMarked
package dev.sluice.app.decide;

import org.jspecify.annotations.NullMarked;
