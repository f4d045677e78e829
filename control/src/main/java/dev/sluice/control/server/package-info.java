/** Where members call. */
@NullMarked
package dev.sluice.control.server;

import org.jspecify.annotations.NullMarked;
