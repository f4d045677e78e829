/** The reproduce command: a paper's experiments, repeated. */
@NullMarked
package dev.sluice.app.reproduce;

import org.jspecify.annotations.NullMarked;
