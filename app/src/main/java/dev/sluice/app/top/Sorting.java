package dev.sluice.app.top;

import java.util.Comparator;

/** What comes first. */
enum Sorting {
  RATE("rate"),
  OPERATIONS("operations"),
  WAIT("wait"),
  QUEUE("queue"),
  NAME("name");

  private final String word;

  Sorting(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  /** Of equals, the name decides, so that lines do not jump. */
  Comparator<TopRow> order() {
    Comparator<TopRow> first =
        switch (this) {
          case RATE -> Comparator.comparingDouble(TopRow::bytesPerSecond).reversed();
          case OPERATIONS -> Comparator.comparingDouble(TopRow::operationsPerSecond).reversed();
          case WAIT -> Comparator.comparingDouble(TopRow::waitedMillis).reversed();
          case QUEUE -> Comparator.comparingLong(TopRow::queued).reversed();
          case NAME -> Comparator.comparing(TopRow::name);
        };
    return first.thenComparing(TopRow::name);
  }

  /** The one after this, around. */
  Sorting next() {
    return switch (this) {
      case RATE -> OPERATIONS;
      case OPERATIONS -> WAIT;
      case WAIT -> QUEUE;
      case QUEUE -> NAME;
      case NAME -> RATE;
    };
  }
}
