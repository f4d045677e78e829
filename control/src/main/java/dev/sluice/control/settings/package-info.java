/** What a controller is to hold everybody to, whoever keeps it. */
@NullMarked
package dev.sluice.control.settings;

import org.jspecify.annotations.NullMarked;
