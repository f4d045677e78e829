/** What happens now, told once a second to everybody who looks. */
@NullMarked
package dev.sluice.web.live;

import org.jspecify.annotations.NullMarked;
