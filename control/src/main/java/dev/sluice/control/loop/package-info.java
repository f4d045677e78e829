/** The one thread on which a controller, an aggregator or a member does its work. */
@NullMarked
package dev.sluice.control.loop;

import org.jspecify.annotations.NullMarked;
