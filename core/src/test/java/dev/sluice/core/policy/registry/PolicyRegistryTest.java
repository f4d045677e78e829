package dev.sluice.core.policy.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.core.linear.BoundedSimplex;
import dev.sluice.core.linear.PackingAnswer;
import dev.sluice.core.linear.PackingProgram;
import dev.sluice.core.linear.PackingSolver;
import dev.sluice.core.linear.PackingSolvers;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo.Parameter;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyRegistryTest {
  private static final class Other implements PackingSolver {
    @Override
    public String name() {
      return "other";
    }

    @Override
    public PackingAnswer solve(PackingProgram program, long limitNanos) {
      return new PackingAnswer.Failed("not asked");
    }
  }

  @Test
  void otherSolversAreChosenByTheSamePolicies() {
    PolicyRegistry registry =
        PolicyRegistry.with(new PackingSolvers(List.of(new Other(), new BoundedSimplex())));
    assertThat(registry.policies())
        .extracting(policy -> policy.info().name())
        .containsExactlyElementsOf(names(PolicyRegistry.all()));
    assertThat(registry.policy("gift").info().parameters())
        .filteredOn(parameter -> parameter.name().equals("solver"))
        .extracting(Parameter::defaultValue)
        .containsExactly("other");
  }

  @Test
  void whoIsNotThereIsToldWhatIs() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PolicyRegistry.named("gifd"))
        .withMessageContaining("there is no policy \"gifd\"; there are none, static, fair, ")
        .withMessageContaining("gift");
  }

  private static List<String> names(List<PolicyFactory> policies) {
    return policies.stream().map(policy -> policy.info().name()).toList();
  }
}
