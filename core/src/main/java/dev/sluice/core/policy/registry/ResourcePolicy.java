package dev.sluice.core.policy.registry;

import dev.sluice.core.policy.padll.PadllAlgorithm;
import dev.sluice.core.policy.padll.PadllFactory;
import dev.sluice.core.policy.sojourn.SojournSetting;
import dev.sluice.core.text.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How a resource is divided among jobs on nodes, where rates are all that can be set. */
public sealed interface ResourcePolicy {
  /** What a document may name, those of PADLL first. */
  List<String> NAMES = names();

  private static List<String> names() {
    List<String> names = new ArrayList<>();
    PadllFactory.all().forEach(factory -> names.add(factory.info().name()));
    names.add(SojournSetting.NAME);
    return List.copyOf(names);
  }

  /**
   * The policy with this name and these settings.
   *
   * @throws IllegalArgumentException if there is none, or a setting is bad
   */
  static ResourcePolicy named(String name, Map<String, String> settings) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(
          "there is no algorithm \""
              + name
              + "\"; there are "
              + String.join(", ", NAMES)
              + Suggestion.of(name, NAMES));
    }
    return name.equals(SojournSetting.NAME)
        ? new Sojourn(SojournSetting.of(settings))
        : new Padll(PadllAlgorithm.named(name, settings));
  }

  /** One of PADLL's: by what somebody assigned and what is used now. */
  record Padll(PadllAlgorithm algorithm) implements ResourcePolicy {}

  /** Our own: by what is left of phases, too. */
  record Sojourn(SojournSetting setting) implements ResourcePolicy {}
}
