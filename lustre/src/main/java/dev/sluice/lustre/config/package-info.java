/** The file that says how a Lustre server is looked after. */
@NullMarked
package dev.sluice.lustre.config;

import org.jspecify.annotations.NullMarked;
