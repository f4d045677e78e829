package dev.sluice.load.client;

import java.util.Arrays;
import java.util.Optional;

/** The versions of NFS that clients here speak. */
public enum NfsVersion {
  V3("3"),
  V4_1("4.1");

  private final String text;

  NfsVersion(String text) {
    this.text = text;
  }

  /** The one that people write so. */
  public static Optional<NfsVersion> parse(String text) {
    return Arrays.stream(values()).filter(version -> version.text.equals(text)).findAny();
  }

  @Override
  public String toString() {
    return text;
  }
}
