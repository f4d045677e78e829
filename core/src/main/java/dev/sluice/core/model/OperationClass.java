package dev.sluice.core.model;

import java.util.Locale;

/** The four kinds of work a file system does. */
public enum OperationClass {
  DATA,
  METADATA,
  DIRECTORY,
  EXTENDED_ATTRIBUTE;

  /** As people write it in rules and configuration: {@code extended-attribute}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
