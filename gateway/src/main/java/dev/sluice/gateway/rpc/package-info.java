/** Calls over TCP: connections, records, replies, and the programs that calls are made to. */
@NullMarked
package dev.sluice.gateway.rpc;

import org.jspecify.annotations.NullMarked;
