package dev.sluice.lustre.standin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stand-in's filter does what is known of the real one, its oddities included. */
class TbfHeadTest {
  private static final long SECOND = 1_000_000_000L;

  /** A job that always has requests waiting is served for a while; answers how many. */
  private static int served(
      TbfHead<Integer> head, String job, long forNanos, LongConsumer each100ms) {
    long now = 0;
    int served = 0;
    for (int i = 0; i < 8; i++) {
      head.enqueue(job, i, now);
    }
    long nextChange = 100_000_000;
    while (now < forNanos) {
      Integer request = head.dequeue(now);
      if (request != null) {
        served++;
        head.enqueue(job, request, now);
        continue;
      }
      long wake = Math.min(head.wakeNanos(), nextChange);
      if (wake == nextChange) {
        each100ms.accept(wake);
        nextChange += 100_000_000;
      }
      now = wake;
    }
    return served;
  }

  /** What a timer that is 50 µs late costs: r = 1000 serves 953, 5000 serves 4000. */
  @ParameterizedTest
  @CsvSource({"100, 100", "1000, 953", "5000, 4000", "10000, 6667"})
  void fractionsOfTokensAreLost(long rate, int expected) {
    TbfHead<Integer> head = new TbfHead<>();
    head.start(new TbfRule("r", "job", rate), null);

    assertThat(served(head, "job", 10 * SECOND, _ -> {}) / 10.0)
        .isCloseTo(expected, withPercentage(2));
  }

  /** Every change fills the bucket: with one in 100 ms, r = 10 serves 30 and r = 100 serves 120. */
  @ParameterizedTest
  @CsvSource({"10, 30", "50, 70", "100, 120", "500, 508"})
  void everyChangeFillsTheBucket(long rate, int expected) {
    TbfHead<Integer> head = new TbfHead<>();
    TbfRule rule = new TbfRule("r", "job", rate);
    head.start(rule, null);

    LongConsumer change =
        nowNanos -> {
          head.change(rule, rate);
          head.enqueue("job", 0, nowNanos);
        };
    assertThat(served(head, "job", 10 * SECOND, change) / 10.0)
        .isCloseTo(expected, withPercentage(8));
  }

  @Test
  void whoHasNoTokensHoldsUpWhoHas() {
    TbfHead<String> head = new TbfHead<>();
    head.start(new TbfRule("slow", "a", 1), null);
    head.start(new TbfRule("slower", "b", 1), null);
    for (int i = 0; i < 4; i++) {
      head.enqueue("a", "a", 0);
    }
    assertThat(head.dequeue(0)).isEqualTo("a");
    assertThat(head.dequeue(0)).isEqualTo("a");
    assertThat(head.dequeue(0)).isEqualTo("a");
    // Its bucket is empty, and the whole head waits for it.
    assertThat(head.dequeue(0)).isNull();
    head.enqueue("b", "b", 10);
    assertThat(head.dequeue(20)).isNull();
    assertThat(head.wakeNanos()).isGreaterThan(SECOND);
    assertThat(head.dequeue(head.wakeNanos())).isEqualTo("a");
    assertThat(head.dequeue(head.wakeNanos() == Long.MAX_VALUE ? 2 * SECOND : head.wakeNanos()))
        .isEqualTo("b");
  }

  @Test
  void aRuleIsNoticedWithTheNextRequest() {
    TbfHead<Integer> head = new TbfHead<>();
    head.enqueue("a", 1, 0);
    TbfRule rule = new TbfRule("r", "a", 5);
    head.start(rule, null);
    assertThat(rule.classes).isZero();
    head.enqueue("a", 2, 0);
    assertThat(rule.classes).isEqualTo(1);
  }

  @Test
  void oddPatternsMatchAsTheyDoInTheKernel() {
    assertThat(KernelPattern.matches("a**", "a")).isFalse();
    assertThat(KernelPattern.matches("*", "*x")).isFalse();
    assertThat(KernelPattern.matches("*", "x")).isTrue();
    assertThat(KernelPattern.matches("*", "")).isTrue();
    assertThat(KernelPattern.matches("dd.*", "dd.1000")).isTrue();
    assertThat(KernelPattern.matches("a*c*", "abbcd")).isTrue();
    assertThat(KernelPattern.matches("a?b", "axb")).isFalse();
  }
}
