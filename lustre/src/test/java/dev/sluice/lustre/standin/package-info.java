/**
 * A stand-in for a Lustre server and its {@code lctl}: keeps rules, enforces the grammar and the
 * errors, counts requests, and does the arithmetic of the real token bucket filter, in a time that
 * the test brings. It is written from a description of how Lustre behaves and has none of its code.
 */
@NullMarked
package dev.sluice.lustre.standin;

import org.jspecify.annotations.NullMarked;
