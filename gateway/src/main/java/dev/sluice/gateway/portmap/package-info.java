/**
 * How clients find the ports (RFC 1833): a portmapper of our own, or the registration with that of
 * the machine.
 */
@NullMarked
package dev.sluice.gateway.portmap;

import org.jspecify.annotations.NullMarked;
