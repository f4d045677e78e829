/**
 * Several gateways for the same exports, of which one serves at a time: whose turn it is, and that
 * nobody else acts (docs/adr/0052-the-kernel-ends-whose-turn-is-over.md).
 */
@NullMarked
package dev.sluice.gateway.failover;

import org.jspecify.annotations.NullMarked;
