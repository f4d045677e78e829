/**
 * The words of the domain: jobs, flows, operations, tokens, rates, targets and the units people
 * write.
 */
@NullMarked
package dev.sluice.core.model;

import org.jspecify.annotations.NullMarked;
