/** Commands on a Lustre server: look after it, look on, show who does what. */
@NullMarked
package dev.sluice.app.lustre;

import org.jspecify.annotations.NullMarked;
