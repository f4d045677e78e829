package dev.sluice.papers;

/** What stands in a cell of a table. */
public sealed interface Cell permits Cell.Words, Figure {
  /** What is the same whatever the seed. */
  record Words(String text) implements Cell {}
}
