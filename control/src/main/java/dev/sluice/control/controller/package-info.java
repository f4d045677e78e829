/** Whoever decides: collects what nodes and gateways report, decides, and gives orders. */
@NullMarked
package dev.sluice.control.controller;

import org.jspecify.annotations.NullMarked;
