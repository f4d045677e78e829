package dev.sluice.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.TokenUnit;
import org.junit.jupiter.api.Test;

class CapacityControlTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final TokenUnit UNIT = new TokenUnit(16 << 10, 1);
  private static final long BYTES = 1 << 20;

  /** A storage that serves one request after the other, each for so long, with others waiting. */
  private static long serve(
      CapacityControl control, Operation operation, long nanos, long fromNanos, long untilNanos) {
    long now = fromNanos;
    while (now < untilNanos) {
      if (!control.pacer().isReady(now)) {
        control.is(CapacityControl.State.PACED, now);
        now = control.pacer().readyAtNanos();
        control.is(CapacityControl.State.PACED, now);
      }
      long cost = control.cost(operation, 1, BYTES);
      control.handedOut(cost, now);
      control.is(CapacityControl.State.FULL, now);
      long end = now + nanos;
      control.completed(operation, 1, BYTES, UNIT.price(1, BYTES), cost, nanos, end);
      now = end;
    }
    return now;
  }

  @Test
  void whatWasNeverInFullUseIsNotKnown() {
    CapacityControl control = new CapacityControl(CapacityBounds.none(8), UNIT, 0);
    for (int i = 0; i < 1_000; i++) {
      long now = 100 * MILLI * i;
      control.is(CapacityControl.State.EMPTY, now);
      long cost = control.cost(Operation.WRITE, 1, BYTES);
      control.handedOut(cost, now);
      control.completed(
          Operation.WRITE, 1, BYTES, UNIT.price(1, BYTES), cost, 5 * MILLI, now + 5 * MILLI);
    }
    assertThat(control.isKnown()).isFalse();
    assertThat(control.belief(100 * SECOND).words(Counted.BYTES, 100 * SECOND))
        .contains("nobody knows");
  }

  @Test
  void whatIsDeliveredInFullUseIsBelieved() {
    CapacityControl control = new CapacityControl(CapacityBounds.none(8), UNIT, 0);
    long now = serve(control, Operation.WRITE, 10 * MILLI, 0, 30 * SECOND);
    double perSecond = 100.0 * UNIT.price(1, BYTES);
    assertThat((double) control.tokensPerSecond()).isCloseTo(perSecond, within(0.05 * perSecond));
    assertThat(control.belief(now).words(Counted.BYTES, now))
        .startsWith("can do about 1")
        .contains("at once (");
  }

  @Test
  void boundsAlwaysWin() {
    long most = 20_000_000;
    long least = 500_000_000;
    CapacityControl bounded = new CapacityControl(new CapacityBounds(1, most, 8), UNIT, 0);
    serve(bounded, Operation.WRITE, 10 * MILLI, 0, 30 * SECOND);
    assertThat(bounded.tokensPerSecond()).isEqualTo(most);
    CapacityControl raised = new CapacityControl(new CapacityBounds(least, 2 * least, 8), UNIT, 0);
    serve(raised, Operation.WRITE, 10 * MILLI, 0, 30 * SECOND);
    assertThat(raised.tokensPerSecond()).isEqualTo(least);
  }

  @Test
  void whatMemoryAnswersCostsNothingAndHoldsNobodyUp() {
    CapacityControl control = new CapacityControl(CapacityBounds.none(8), UNIT, 0);
    long now = serve(control, Operation.READ, 10 * MILLI, 0, 30 * SECOND);
    long before = control.tokensPerSecond();
    // Far more than the storage could do.
    long end = serve(control, Operation.READ, 20_000, now, now + 2 * SECOND);
    assertThat(control.hasRoom(7)).isTrue();
    assertThat(control.tokensPerSecond()).isEqualTo(before);
    assertThat(control.pacer().isReady(end)).isTrue();
  }

  @Test
  void anIdleHourChangesNothing() {
    CapacityControl control = new CapacityControl(CapacityBounds.none(8), UNIT, 0);
    long now = serve(control, Operation.WRITE, 10 * MILLI, 0, 30 * SECOND);
    long before = control.tokensPerSecond();
    control.is(CapacityControl.State.EMPTY, now);
    control.is(CapacityControl.State.EMPTY, now + 3_600 * SECOND);
    assertThat(control.tokensPerSecond()).isEqualTo(before);
  }
}
