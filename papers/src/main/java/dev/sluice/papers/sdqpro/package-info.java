/** The experiments of SDQPro, repeated. */
@NullMarked
package dev.sluice.papers.sdqpro;

import org.jspecify.annotations.NullMarked;
