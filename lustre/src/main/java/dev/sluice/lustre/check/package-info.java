/** Whether clients say which jobs they work for, and what to change where they do not. */
@NullMarked
package dev.sluice.lustre.check;

import org.jspecify.annotations.NullMarked;
