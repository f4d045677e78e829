/** YAML and JSON documents whose every value knows its place, so that an error can name it. */
@NullMarked
package dev.sluice.document;

import org.jspecify.annotations.NullMarked;
