package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeededCasesTest {
  @Test
  void twoRunsDrawTheSameCasesAndTheCasesDiffer() {
    List<Long> first = new ArrayList<>();
    List<Long> second = new ArrayList<>();
    SeededCases.forAll(100, random -> first.add(random.nextLong()));
    SeededCases.forAll(100, random -> second.add(random.nextLong()));

    assertThat(second).isEqualTo(first);
    assertThat(new HashSet<>(first)).hasSize(100);
  }

  @Test
  void aFailureNamesTheSeedThatRepeatsIt() {
    int[] calls = {0};
    assertThatThrownBy(() ->
            SeededCases.forAll(
                10,
                random -> {
                  if (++calls[0] == 4) {
                    throw new IllegalStateException("broken");
                  }
                }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("seed 20250003")
        .hasMessageContaining("broken");
  }
}
