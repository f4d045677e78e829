/** An NFSv3 client over TCP: calls that overlap, and that outlive a server's restart. */
@NullMarked
package dev.sluice.load.client;

import org.jspecify.annotations.NullMarked;
