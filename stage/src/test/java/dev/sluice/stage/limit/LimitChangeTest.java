package dev.sluice.stage.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.stage.layout.StageLayout;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitChangeTest {
  @ParameterizedTest
  @CsvSource({
    "open=50/s, open, OPERATIONS, 50",
    "open=50, open, OPERATIONS, 50",
    "open=0.5/s, open, OPERATIONS, 0.5",
    "copy = 0.000001 B/s, copy, BYTES, 0.000001",
    "metadata=1kops/s, metadata, OPERATIONS, 1000",
    "metadata=2k/s, metadata, OPERATIONS, 2000",
    "read=100MB/s, read, BYTES, 100000000",
    "all = 1.5 GiB/s, all, BYTES, 1610612736",
    "extended-attribute=0/s, extended-attribute, OPERATIONS, 0"
  })
  void limitsAreReadAsPeopleWriteThem(String text, String scope, Counted counted, double rate) {
    assertThat(LimitChange.parse(text))
        .containsExactly(
            new LimitChange(
                new LimitKey(scope, counted),
                OptionalLong.of(Math.round(rate * LimitChange.MILLIONTHS))));
  }

  @Test
  void noneTakesAllLimitsOfAScopeAway() {
    assertThat(LimitChange.parse("write=none"))
        .containsExactly(
            new LimitChange(new LimitKey("write", Counted.OPERATIONS), OptionalLong.empty()),
            new LimitChange(new LimitKey("write", Counted.BYTES), OptionalLong.empty()));
    assertThat(LimitChange.parse("open=none,read=10/s,read=5MB/s")).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "open",
        "open=",
        "=5/s",
        "opne=5/s",
        "open=5MB/s",
        "open=-1/s",
        "open=x",
        "read=1/h",
        "read=0.0000001/s",
        "open=5/s,",
        "open=5/s,open=6/s",
        "all=3000000000000B/s"
      })
  void whatCannotBeReadIsNamed(String text) {
    assertThatThrownBy(() -> LimitChange.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("\"")
        .hasMessageMatching("(?s).*(expected|twice).*");
  }

  @Test
  void callsThatCanBeLimitedAreThoseThatTheLibraryCounts() {
    assertThat(LimitKey.CALLS).containsExactlyElementsOf(StageLayout.OPERATIONS);
  }

  @Test
  void everyScopeHasABucketOfItsOwnAndEveryOperationAtMostThreeOfAKind() {
    Set<Integer> buckets = new HashSet<>();
    for (LimitKey key : LimitKey.ALL) {
      assertThat(key.number()).isBetween(1, StageLayout.BUCKETS - 1);
      assertThat(buckets.add(key.number())).isTrue();
      assertThat(key.operations()).isNotEmpty();
    }
    for (Operation operation : StageLayout.OPERATIONS) {
      for (Counted counted : Set.of(Counted.OPERATIONS, Counted.BYTES)) {
        assertThat(LimitKey.ALL)
            .filteredOn(key -> key.counted() == counted && key.operations().contains(operation))
            .hasSizeLessThanOrEqualTo(3);
      }
    }
  }
}
