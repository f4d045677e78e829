package dev.sluice.web.api;

import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * How what holds in a program is changed.
 *
 * @param means by what
 * @param last the number of the last change, from which viewers know that there is a new one
 */
public record Changing(Means means, LongSupplier last) {
  /** By what something is changed. */
  public enum Means {
    /** A command for each change, noted down by the program. */
    COMMANDS,
    /** A document that is put in force as a whole, with a history of its own. */
    DOCUMENT,
    /** A file, which nobody can change from here. */
    FILE;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** By commands that are noted down. */
  public static Changing by(AuditedCommands commands) {
    return new Changing(Means.COMMANDS, commands.trail()::lastId);
  }

  /**
   * By documents.
   *
   * @param version the one in force
   */
  public static Changing byDocument(LongSupplier version) {
    return new Changing(Means.DOCUMENT, version);
  }

  /** By whoever may write a file. */
  public static Changing byFile() {
    return new Changing(Means.FILE, () -> 0);
  }
}
