/** What storages can do, as gateways found it out. */
@NullMarked
package dev.sluice.app.capacity;

import org.jspecify.annotations.NullMarked;
