package dev.sluice.core.policy.sojourn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.policy.AllTargetsPolicyContract;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SojournAllTest extends AllTargetsPolicyContract {
  @Override
  protected PolicyFactory factory() {
    return new SojournAllFactory();
  }

  /** What jobs leave of their rates is lent between decisions, unless that is set to never. */
  @Test
  void targetsLendBetweenDecisions() {
    assertThat(factory().create(new Settings(factory().info(), Map.of())).local()).isNotNull();
    assertThat(factory().create(new Settings(factory().info(), Map.of("lending", "0 s"))).local())
        .isNull();
  }
}
