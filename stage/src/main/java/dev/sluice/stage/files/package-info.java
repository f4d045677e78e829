/** A job's files, as the agent makes, writes and reads them. */
@NullMarked
package dev.sluice.stage.files;

import org.jspecify.annotations.NullMarked;
