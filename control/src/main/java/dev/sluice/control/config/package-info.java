/** What people write in the files of controllers and aggregators. */
@NullMarked
package dev.sluice.control.config;

import org.jspecify.annotations.NullMarked;
