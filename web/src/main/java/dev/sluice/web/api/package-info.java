/** The commands of a program that runs, asked over HTTP, and who changed what by them. */
@NullMarked
package dev.sluice.web.api;

import org.jspecify.annotations.NullMarked;
