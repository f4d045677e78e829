/** Which of several controllers may give orders. */
@NullMarked
package dev.sluice.control.leader;

import org.jspecify.annotations.NullMarked;
