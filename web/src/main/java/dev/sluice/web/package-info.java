/** Commands and pictures over HTTP, and the dashboard. */
@NullMarked
package dev.sluice.web;

import org.jspecify.annotations.NullMarked;
