/**
 * Who may do what, who was refused, and who changed what: roles, callers, their tokens, refusals
 * that cannot flood anything, and the audit log.
 */
@NullMarked
package dev.sluice.access;

import org.jspecify.annotations.NullMarked;
