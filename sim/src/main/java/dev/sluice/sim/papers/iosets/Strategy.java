package dev.sluice.sim.papers.iosets;

import java.util.LinkedHashMap;
import java.util.Map;

/** A way to order requests that the experiments compare. */
enum Strategy {
  NONE("no control", "none", Map.of()),
  FAIR("fair", "fair", Map.of()),
  FCFS(
      "first come, first served, one at a time",
      "iosets",
      Map.of("variant", "one", "order", "arrival", "max-wait", "off")),
  EQUAL("sets without priorities", "iosets", clairvoyant("variant", "equal")),
  ALONE("priorities without sets", "iosets", clairvoyant("variant", "alone")),
  CLAIRVOYANT("Set-10, clairvoyant", "iosets", clairvoyant()),
  DETECTED("Set-10, detected", "iosets", Map.of()),
  FALSIFIED("Set-10, detected, ±50 % error", "iosets", Map.of("error", "0.5")),
  UNBOUNDED("Set-10, clairvoyant, no bound", "iosets", clairvoyant("max-wait", "off"));

  private final String title;
  private final String policy;
  private final Map<String, String> settings;

  Strategy(String title, String policy, Map<String, String> settings) {
    this.title = title;
    this.policy = policy;
    this.settings = settings;
  }

  /** With the periods that the applications would have alone, and these settings. */
  private static Map<String, String> clairvoyant(String... namesAndValues) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("periods", "fast=19.2 s, slow-*=384 s");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      settings.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return settings;
  }

  /** As tables and pictures call it. */
  String title() {
    return title;
  }

  String policy() {
    return policy;
  }

  Map<String, String> settings() {
    return settings;
  }
}
