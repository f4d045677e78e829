package dev.sluice.nfs.nfs4;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttributeSetTest {
  private static final int END = 96;

  @Test
  void goingFromOneToTheNextMeetsAllOfThemInOrder() {
    SeededCases.forAll(
        5_000,
        random -> {
          List<Integer> attributes = new ArrayList<>();
          int oneIn = random.nextInt(1, 40);
          for (int i = 0; i < END; i++) {
            if (random.nextInt(oneIn) == 0) {
              attributes.add(i);
            }
          }
          AttributeSet set =
              AttributeSet.of(attributes.stream().mapToInt(Integer::intValue).toArray());
          List<Integer> met = new ArrayList<>();
          for (int next = set.next(0); next >= 0; next = set.next(next + 1)) {
            met.add(next);
          }
          assertThat(met).isEqualTo(attributes);
        });
  }
}
