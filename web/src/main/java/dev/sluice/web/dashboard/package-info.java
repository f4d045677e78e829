/** The page that shows who does what: its files, as a browser gets them. */
@NullMarked
package dev.sluice.web.dashboard;

import org.jspecify.annotations.NullMarked;
