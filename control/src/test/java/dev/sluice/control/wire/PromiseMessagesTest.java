package dev.sluice.control.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.policy.guarantee.Guarantee;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PromiseMessagesTest {
  @Test
  void whatIsPromisedArrivesAsItWas() {
    SeededCases.forAll(
        2_000,
        random -> {
          Promises promises = promises(random);
          assertThat(PromiseMessages.read(PromiseMessages.write(promises))).isEqualTo(promises);
        });
    assertThatThrownBy(() ->
            PromiseMessages.read(
                dev.sluice.control.v1.Promises.newBuilder()
                    .addGoals(dev.sluice.control.v1.Goal.newBuilder().setName("alice"))
                    .build()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("a promise to PROMISED_TO_UNSPECIFIED");
  }

  private static Promises promises(RandomGenerator random) {
    List<Guarantee> guarantees = new ArrayList<>();
    List<Goal> goals = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      Guarantee.Who who = List.of(Guarantee.Who.values()).get(random.nextInt(4));
      Quantities.Counted counted =
          random.nextBoolean() ? Quantities.Counted.BYTES : Quantities.Counted.OPERATIONS;
      guarantees.add(new Guarantee(who, "name" + i, random.nextLong(1, 1L << 40), counted));
      goals.add(
          new Goal(
              who, "name" + i, random.nextLong(Goal.LATENCY_NANOS_MIN, Goal.LATENCY_NANOS_MAX)));
    }
    return new Promises(new Guarantees(guarantees), new Goals(goals));
  }
}
