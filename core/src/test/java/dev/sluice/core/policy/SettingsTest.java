package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.policy.adaptbf.AdapTbfFactory;
import dev.sluice.core.policy.progress.ShareBasis;
import dev.sluice.core.policy.registry.PolicyRegistry;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private final PolicyInfo info = new AdapTbfFactory().info();

  @Test
  void whatIsNotGivenHasItsDefault() {
    assertThat(new Settings(info, Map.of()).durationNanos("record-retention"))
        .isEqualTo(3_600_000_000_000L);
    assertThat(
            new Settings(info, Map.of("record-retention", "2 s")).durationNanos("record-retention"))
        .isEqualTo(2_000_000_000L);
  }

  @Test
  void whatIsWrongIsNamed() {
    assertThatThrownBy(() -> new Settings(info, Map.of("record-retentoin", "1 s")))
        .hasMessageContaining("\"record-retentoin\"")
        .hasMessageContaining("did you mean record-retention?");
    Settings bad = new Settings(info, Map.of("record-retention", "soon"));
    assertThatThrownBy(() -> bad.durationNanos("record-retention"))
        .hasMessage("record-retention=soon: expected a duration such as 100 ms, 10 s or 2 h");
  }

  @Test
  void numbersAndChoicesHaveTheirLimits() {
    PolicyInfo gift = PolicyRegistry.named("gift").info();
    Settings given = new Settings(gift, Map.of("tau", "0.25", "window", "10", "weights", "nodes"));
    assertThat(given.number("tau", 0, 1)).isEqualTo(0.25);
    assertThat(given.whole("window", 1, 10)).isEqualTo(10);
    assertThat(given.choice("weights", ShareBasis.class)).isEqualTo(ShareBasis.NODES);

    Settings bad = new Settings(gift, Map.of("tau", "1,5", "window", "1.5", "weights", "nodse"));
    assertThatThrownBy(() -> bad.number("tau", 0, 0.5))
        .hasMessage("tau=1,5: expected a number from 0 to 0.5");
    assertThatThrownBy(() -> given.number("tau", 0.5, 1)).hasMessageContaining("from 0.5 to 1");
    assertThatThrownBy(() -> bad.whole("window", 1, 9))
        .hasMessage("window=1.5: expected a whole number from 1 to 9");
    assertThatThrownBy(() -> given.whole("window", 1, 9)).hasMessageContaining("window=10");
    assertThatThrownBy(() -> bad.choice("weights", ShareBasis.class))
        .hasMessage("weights=nodse: expected one of given, nodes, processes; did you mean nodes?");

    Settings unsolvable = new Settings(gift, Map.of("solver", "buildin"));
    assertThatThrownBy(() -> PolicyRegistry.named("gift").create(unsolvable))
        .hasMessage("solver=buildin: expected one of built-in; did you mean built-in?");
  }

  @Test
  void limitsAreAmongWhatIsAllowed() {
    PolicyInfo gift = PolicyRegistry.named("gift").info();
    Settings given = new Settings(gift, Map.of("tau", "0.25", "window", "10"));
    assertThat(given.number("tau", 0.25, 1)).isEqualTo(0.25);
    assertThat(given.number("tau", 0, 0.25)).isEqualTo(0.25);
    assertThat(given.whole("window", 10, 20)).isEqualTo(10);
    assertThatThrownBy(() -> given.whole("window", 11, 20)).hasMessageContaining("from 11 to 20");
    assertThatThrownBy(() -> given.number("tau", 0, 0.2)).hasMessageContaining("from 0 to 0.2");
    assertThatThrownBy(() -> given.text("tua")).hasMessage("undeclared parameter tua");
    assertThatThrownBy(() -> new Settings(PolicyRegistry.named("none").info(), Map.of("tau", "1")))
        .hasMessage("policy none has no parameter \"tau\"; it has none");
  }

  @Test
  void theRegistryKnowsEachPolicyByOneNameAndItsDefaultsWork() {
    Set<String> names = new HashSet<>();
    assertThat(PolicyRegistry.all()).hasSizeGreaterThan(10);
    assertThat(PolicyRegistry.standard().policies()).isEqualTo(PolicyRegistry.all());
    for (PolicyFactory policy : PolicyRegistry.all()) {
      assertThat(names.add(policy.info().name())).isTrue();
      assertThat(PolicyRegistry.named(policy.info().name())).isSameAs(policy);
      assertThat(policy.create(new Settings(policy.info(), Map.of()))).isNotNull();
    }
    assertThatThrownBy(() -> PolicyRegistry.named("adaptfb"))
        .hasMessageContaining("did you mean adaptbf?");
  }
}
