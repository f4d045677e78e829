/** Commands to a program that runs: a local socket, one line of JSON each way. */
@NullMarked
package dev.sluice.command;

import org.jspecify.annotations.NullMarked;
