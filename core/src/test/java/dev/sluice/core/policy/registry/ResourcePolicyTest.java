package dev.sluice.core.policy.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.core.policy.padll.PadllFactory;
import dev.sluice.core.policy.registry.ResourcePolicy.Padll;
import dev.sluice.core.policy.registry.ResourcePolicy.Sojourn;
import dev.sluice.core.policy.sojourn.SojournSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResourcePolicyTest {
  @Test
  void eachOfPadllsIsFoundByItsName() {
    List<String> names = new ArrayList<>();
    PadllFactory.all().forEach(factory -> names.add(factory.info().name()));
    for (String name : names) {
      assertThat(ResourcePolicy.named(name, Map.of()))
          .isInstanceOfSatisfying(
              Padll.class, padll -> assertThat(padll.algorithm().name()).isEqualTo(name));
    }
    names.add("sojourn-all");
    assertThat(ResourcePolicy.NAMES).isEqualTo(names);
  }

  @Test
  void ourOwnIsFoundWithWhatSomebodySet() {
    assertThat(ResourcePolicy.named("sojourn-all", Map.of("keep", "0.25", "slack", "0.75")))
        .isInstanceOfSatisfying(
            Sojourn.class,
            sojourn -> {
              SojournSetting setting = sojourn.setting();
              assertThat(setting.keep()).isEqualTo(0.25);
              assertThat(setting.slack()).isEqualTo(0.75);
            });
  }

  @Test
  void whatIsNotThereIsRefusedWithWhatIs() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourcePolicy.named("sojourn-al", Map.of()))
        .withMessageStartingWith(
            "there is no algorithm \"sojourn-al\"; there are "
                + String.join(", ", ResourcePolicy.NAMES))
        .withMessageEndingWith("did you mean sojourn-all?");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourcePolicy.named("sojourn-all", Map.of("kep", "1")))
        .withMessageContaining("has no parameter \"kep\"");
  }
}
