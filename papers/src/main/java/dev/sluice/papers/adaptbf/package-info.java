/** The experiments of AdapTBF, sections IV-D to IV-H. */
@NullMarked
package dev.sluice.papers.adaptbf;

import org.jspecify.annotations.NullMarked;
