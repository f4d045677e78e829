/** What is exported to whom: the directories that clients mount, and as whom they act there. */
@NullMarked
package dev.sluice.gateway.export;

import org.jspecify.annotations.NullMarked;
