/** Lustre's token bucket filter as text: what it prints, what it takes, and what is dangerous. */
@NullMarked
package dev.sluice.lustre.tbf;

import org.jspecify.annotations.NullMarked;
