package dev.sluice.sim.papers.iosets;

import java.util.LinkedHashMap;
import java.util.Map;

/** A way to order requests that the experiments compare. */
enum Strategy {
  NONE("no control", "none"),
  FAIR("fair", "fair"),
  FCFS("first come, first served, one at a time", "iosets"),
  EQUAL("sets without priorities", "iosets"),
  ALONE("priorities without sets", "iosets"),
  CLAIRVOYANT("Set-10, clairvoyant", "iosets"),
  DETECTED("Set-10, detected", "iosets"),
  FALSIFIED("Set-10, detected, ±50 % error", "iosets"),
  UNBOUNDED("Set-10, clairvoyant, no bound", "iosets");

  private final String title;
  private final String policy;

  Strategy(String title, String policy) {
    this.title = title;
    this.policy = policy;
  }

  /** As tables and pictures call it. */
  String title() {
    return title;
  }

  String policy() {
    return policy;
  }

  Map<String, String> settings() {
    return switch (this) {
      case NONE, FAIR, DETECTED -> Map.of();
      case FCFS -> Map.of("variant", "one", "order", "arrival", "max-wait", "off");
      case EQUAL -> clairvoyant("variant", "equal");
      case ALONE -> clairvoyant("variant", "alone");
      case CLAIRVOYANT -> clairvoyant();
      case FALSIFIED -> Map.of("error", "0.5");
      case UNBOUNDED -> clairvoyant("max-wait", "off");
    };
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
}
