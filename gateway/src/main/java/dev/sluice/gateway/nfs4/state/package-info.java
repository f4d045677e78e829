/**
 * What a server of NFS version 4.1 remembers of its clients (RFC 8881, sections 2.10, 8 and 9): who
 * they are, their sessions with the replies that may be asked for again, the files they opened and
 * the bytes they locked, and whose locks may be claimed again after a restart. No sockets, no
 * clock: time is an argument. Safe for many threads; every table has a bound.
 */
@NullMarked
package dev.sluice.gateway.nfs4.state;

import org.jspecify.annotations.NullMarked;
