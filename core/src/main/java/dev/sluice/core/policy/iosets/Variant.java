package dev.sluice.core.policy.iosets;

/** What of IO-Sets is in force, to see what each part of it is good for. */
enum Variant {
  /** Sets and priorities. */
  FULL,

  /** Sets, all of the same priority. */
  EQUAL,

  /** Priorities, each job a set of its own. */
  ALONE,

  /** All jobs in one set: one after another, and nothing else. */
  ONE
}
