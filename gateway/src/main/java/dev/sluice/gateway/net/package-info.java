/**
 * TCP sockets by the system's own calls: a blocking receive in a thread of its own answers faster
 * than anything that waits for many sockets first.
 */
@NullMarked
package dev.sluice.gateway.net;

import org.jspecify.annotations.NullMarked;
