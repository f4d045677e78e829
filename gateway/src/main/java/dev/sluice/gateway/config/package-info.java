/** What an administrator writes about a gateway, read and checked. */
@NullMarked
package dev.sluice.gateway.config;

import org.jspecify.annotations.NullMarked;
