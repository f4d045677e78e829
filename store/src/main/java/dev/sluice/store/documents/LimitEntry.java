package dev.sluice.store.documents;

import dev.sluice.core.model.LimitKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * A limit as somebody wrote it.
 *
 * @param name by which people speak of it; no other limit of its document has it
 * @param rates what is limited, and to how many a second
 * @param burstNanos how long a time of its rates may be saved up while less is used
 * @param schedule when it is in force
 */
public record LimitEntry(
    String name,
    Subject subject,
    SequencedMap<LimitKey, Long> rates,
    Firmness firmness,
    long burstNanos,
    Schedule schedule) {
  public LimitEntry {
    rates = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(rates));
  }

  /** Whom a limit holds for. */
  public sealed interface Subject {
    NamePattern pattern();

    /** Each job of this name by itself, on all its nodes together. */
    record EachJob(NamePattern pattern) implements Subject {
      @Override
      public String toString() {
        return "job " + pattern;
      }
    }

    /** Each user of this name, in all of his jobs together. */
    record EachUser(NamePattern pattern) implements Subject {
      @Override
      public String toString() {
        return "user " + pattern;
      }
    }
  }

  /** Whether a limit holds when there is enough for all. */
  public enum Firmness {
    /** It always holds. */
    HARD("hard"),
    /** It holds while the resource that its operations belong to is scarce. */
    SOFT("soft");

    private final String text;

    Firmness(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }
}
