/** Linux's system calls on files, through the foreign function interface. */
@NullMarked
package dev.sluice.gateway.posix;

import org.jspecify.annotations.NullMarked;
