/** The demo command: a gateway and its clients on one machine, under several policies. */
@NullMarked
package dev.sluice.app.demo;

import org.jspecify.annotations.NullMarked;
