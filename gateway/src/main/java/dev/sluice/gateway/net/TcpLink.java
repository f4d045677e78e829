package dev.sluice.gateway.net;

import java.net.InetSocketAddress;

/**
 * By which addresses and ports a connection is known to both its ends.
 *
 * @param peer the other end
 * @param own the end that is here, or was where somebody served before
 */
public record TcpLink(InetSocketAddress peer, InetSocketAddress own) {}
