package dev.sluice.app;

import picocli.CommandLine.Option;

/** Where everything random of a command comes from. */
public final class SeedOption {
  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Where everything random comes from (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  public long seed() {
    return seed;
  }
}
