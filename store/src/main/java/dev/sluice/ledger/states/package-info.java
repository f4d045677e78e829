/**
 * What policies remember, kept now and then: in files or in a database, by a thread of its own, so
 * that a restart does not begin anew.
 */
@NullMarked
package dev.sluice.ledger.states;

import org.jspecify.annotations.NullMarked;
