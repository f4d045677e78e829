package dev.sluice.gateway;

import dev.sluice.gateway.config.ExportConfiguration;
import dev.sluice.gateway.config.GatewayConfiguration;
import dev.sluice.gateway.config.TargetConfiguration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What differs between two configurations: what may change while a gateway runs, and what not. */
final class ConfigurationChange {
  private static final Map<String, Function<GatewayConfiguration, Object>> FIXED = fixed();

  private ConfigurationChange() {}

  /** What a gateway that runs cannot change, by key. */
  private static Map<String, Function<GatewayConfiguration, Object>> fixed() {
    Map<String, Function<GatewayConfiguration, Object>> keys = new LinkedHashMap<>();
    keys.put("listen", GatewayConfiguration::listen);
    keys.put("nfs-port", GatewayConfiguration::nfsPort);
    keys.put("mount-port", GatewayConfiguration::mountPort);
    keys.put("nfs4", GatewayConfiguration::nfs4);
    keys.put("portmapper", GatewayConfiguration::portmapper);
    keys.put("state", GatewayConfiguration::state);
    keys.put("control-socket", GatewayConfiguration::controlSocket);
    keys.put("ledger", GatewayConfiguration::ledger);
    keys.put("dashboard", configuration -> Optional.ofNullable(configuration.dashboard()));
    keys.put("memory", GatewayConfiguration::memoryBytes);
    keys.put("transfer-max", GatewayConfiguration::transfers);
    keys.put("connections", GatewayConfiguration::connections);
    keys.put("failover", configuration -> Optional.ofNullable(configuration.failover()));
    return keys;
  }

  /** Throws {@link IllegalArgumentException} when a restart would be needed, and says for what. */
  static void check(GatewayConfiguration before, GatewayConfiguration after) {
    List<String> refused = new ArrayList<>();
    FIXED.forEach((key, value) -> {
      if (!value.apply(before).equals(value.apply(after))) {
        refused.add(key);
      }
    });
    if (!refused.isEmpty()) {
      throw new IllegalArgumentException(
          String.join(", ", refused)
              + " cannot change while the gateway runs; nothing was changed. Restart it, or undo"
              + " this part");
    }
  }

  /** What differs, in words for people. */
  static List<String> words(GatewayConfiguration before, GatewayConfiguration after) {
    List<String> words = new ArrayList<>();
    add(words, "policy", before.policy(), after.policy());
    add(words, "observe-only", before.observesOnly(), after.observesOnly());
    add(words, "jobs", before.jobs(), after.jobs());
    add(words, "trust-claimed-jobs", before.trustsClaimedJobs(), after.trustsClaimedJobs());
    add(words, "rules", before.rulesFile(), after.rulesFile());
    add(words, "shares", before.shares(), after.shares());
    add(words, "limits", before.limits(), after.limits());
    add(words, "guarantees", before.promises().guarantees(), after.promises().guarantees());
    add(words, "goals", before.promises().goals(), after.promises().goals());
    Map<String, TargetConfiguration> targets = new LinkedHashMap<>();
    before.targets().forEach(target -> targets.put(target.name(), target));
    for (TargetConfiguration target : after.targets()) {
      TargetConfiguration old = targets.remove(target.name());
      describe(words, "target " + target.name(), old, target);
    }
    targets.keySet().forEach(name -> words.add("target " + name + " is gone"));
    Map<String, ExportConfiguration> exports = new LinkedHashMap<>();
    before.exports().forEach(export -> exports.put(export.path(), export));
    for (ExportConfiguration export : after.exports()) {
      ExportConfiguration old = exports.remove(export.path());
      describe(words, "export " + export.path(), old, export);
    }
    exports.keySet().forEach(path -> words.add("export " + path + " is gone"));
    return words;
  }

  private static void add(
      List<String> words, String key, @Nullable Object before, @Nullable Object after) {
    if (!Objects.equals(before, after)) {
      words.add(key + " changed");
    }
  }

  private static void describe(
      List<String> words, String what, @Nullable Object before, Object after) {
    if (before == null) {
      words.add(what + " is new");
    } else if (!before.equals(after)) {
      words.add(what + " changed");
    }
  }
}
