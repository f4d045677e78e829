/** How an administrator talks to a gateway that runs: a local socket, one JSON line each way. */
@NullMarked
package dev.sluice.gateway.admin;

import org.jspecify.annotations.NullMarked;
