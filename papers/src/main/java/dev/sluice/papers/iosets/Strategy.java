package dev.sluice.papers.iosets;

import java.util.LinkedHashMap;
import java.util.Map;

/** A way to order requests that the experiments compare. */
enum Strategy {
  NONE("no control", "none", ""),
  FAIR("fair", "fair", ""),
  FCFS(
      "first come, first served, one at a time",
      "iosets",
      "variant=one; order=arrival; max-wait=off"),
  EQUAL("sets without priorities", "iosets", Strategy.PERIODS + "; variant=equal"),
  ALONE("priorities without sets", "iosets", Strategy.PERIODS + "; variant=alone"),
  CLAIRVOYANT("Set-10, clairvoyant", "iosets", Strategy.PERIODS),
  DETECTED("Set-10, detected", "iosets", ""),
  FALSIFIED("Set-10, detected, ±50 % error", "iosets", "error=0.5"),
  UNBOUNDED(
      "Set-10, clairvoyant, by id, no bound",
      "iosets",
      Strategy.PERIODS + "; order=id; max-wait=off"),
  BY_ID("Set-10, clairvoyant, by id", "iosets", Strategy.PERIODS + "; order=id");

  /** The periods that the applications would have alone. */
  private static final String PERIODS = "periods=fast=19.2 s, slow-*=384 s";

  private final String title;
  private final String policy;
  private final String settings;

  Strategy(String title, String policy, String settings) {
    this.title = title;
    this.policy = policy;
    this.settings = settings;
  }

  /** As tables and pictures call it. */
  String title() {
    return title;
  }

  String policy() {
    return policy;
  }

  Map<String, String> settings() {
    Map<String, String> map = new LinkedHashMap<>();
    for (String setting : settings.isEmpty() ? new String[0] : settings.split("; ", -1)) {
      int equals = setting.indexOf('=');
      map.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return map;
  }
}
