package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import org.junit.jupiter.api.Test;

class PerJobTest {
  private static PerJob<Long> parse(String text) {
    return PerJob.parse("sizes", text, "expected job=size", size -> Long.valueOf(size.strip()));
  }

  @Test
  void nothingIsKnownOfAnyJobWhereNothingIsWritten() {
    assertThat(parse("").isEmpty()).isTrue();
    assertThat(parse(" ").isEmpty()).isTrue();
    assertThat(parse("a=1").isEmpty()).isFalse();
    assertThat(parse("a*=1").isEmpty()).isFalse();
  }

  @Test
  void aWholeNameCountsBeforeABeginning() {
    PerJob<Long> sizes = parse("slow-*=2, slow-1=1");
    assertThat(sizes.of(JobId.of("slow-1"))).isEqualTo(1);
    assertThat(sizes.of(JobId.of("slow-2"))).isEqualTo(2);
    assertThat(sizes.of(JobId.of("fast"))).isNull();
  }
}
