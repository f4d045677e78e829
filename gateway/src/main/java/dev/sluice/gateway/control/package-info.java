/**
 * The control loop: what was seen, what is decided, what is put in force; and who asks about it.
 */
@NullMarked
package dev.sluice.gateway.control;

import org.jspecify.annotations.NullMarked;
