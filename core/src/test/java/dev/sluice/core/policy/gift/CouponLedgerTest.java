package dev.sluice.core.policy.gift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CouponLedgerTest {
  private static final JobId A = JobId.of("a");

  private static Coupon coupon(long number, long ordinal, long worth) {
    return new Coupon(number, A, ordinal, 0, worth, 0, 0, 10, 4);
  }

  private static final CouponLedger TWO =
      CouponLedger.EMPTY.with(
          List.of(
              new LedgerEvent.PeriodBegan(0),
              new LedgerEvent.Issued(coupon(1, 1, 100)),
              new LedgerEvent.Issued(coupon(2, 2, 300))));

  @Test
  void whatIsRedeemedIsNoLongerOwedAndRaisesTheRate() {
    CouponLedger after = TWO.with(List.of(new LedgerEvent.Redeemed(A, 1, 25)));
    assertThat(TWO.account(A).owedTokens()).isEqualTo(400);
    assertThat(after.account(A).owedTokens()).isEqualTo(375);
    assertThat(TWO.account(A).redemptionRate(4)).isEqualTo(0.5);
    assertThat(after.account(A).redemptionRate(4)).isEqualTo(0.5625);
    assertThat(after.redemptionRate(4)).isEqualTo(0.5625);
    assertThat(TWO.redemptionRate(1)).isZero();
  }

  @Test
  void theRegretIsTheTimeThatTheJobLostOnAllItsNodes() {
    assertThat(TWO.regretNodeSeconds()).isEqualTo(400 / 10 * 4);
  }

  @Test
  void whatWasPaidForCannotBeRedeemedAndStillSpeaksAgainstTheApplication() {
    CouponLedger after = TWO.with(List.of(new LedgerEvent.Awarded(A, 1, 40)));
    assertThat(after.account(A).owedTokens()).isEqualTo(300);
    assertThat(after.account(A).redemptionRate(4)).isEqualTo(0.5);
    assertThat(after.period().awardedNodeSeconds()).isEqualTo(40);
    refused(after, new LedgerEvent.Redeemed(A, 1, 1), "coupon 1: 1 tokens of 0 that are owed");

    CouponLedger forgotten = after.with(List.of(new LedgerEvent.Forgotten(A, 1)));
    assertThat(forgotten.account(A).redemptionRate(4)).isEqualTo(0.75);
    refused(forgotten, new LedgerEvent.Forgotten(A, 2), "coupon 2 is owed and cannot be forgotten");
  }

  @Test
  void aNewPeriodForgetsTheSystemsRateButNotTheApplications() {
    CouponLedger after = TWO.with(List.of(new LedgerEvent.PeriodBegan(7)));
    assertThat(after.redemptionRate(4)).isEqualTo(1);
    assertThat(after.account(A).redemptionRate(4)).isEqualTo(0.5);
    assertThat(after.with(List.of(new LedgerEvent.Redeemed(A, 1, 100))).redemptionRate(4))
        .isEqualTo(1);
  }

  @Test
  void anApplicationThatRedeemedAllIsForgotten() {
    CouponLedger after =
        TWO.with(List.of(new LedgerEvent.Redeemed(A, 2, 300), new LedgerEvent.Redeemed(A, 1, 100)));
    assertThat(after.accounts()).isEmpty();
    assertThat(after.redemptionRate(4)).isEqualTo(1);
    after.checkInvariants();
  }

  @Test
  void nothingIsRedeemedTwiceOrOutOfOrder() {
    refused(TWO, new LedgerEvent.Redeemed(A, 1, 101), "coupon 1: 101 tokens of 100");
    refused(TWO, new LedgerEvent.Redeemed(A, 9, 1), "there is no open coupon 9");
    refused(TWO, new LedgerEvent.Issued(coupon(2, 3, 1)), "not the next one, after 2 coupons");
    refused(TWO, new LedgerEvent.Issued(coupon(3, 2, 1)), "not the next one, after 2 coupons");
    assertThatThrownBy(() -> coupon(1, 1, 0)).hasMessageContaining("redeemed 0 of 0 tokens");
  }

  @Test
  void whatACouponMayBe() {
    Coupon whole = new Coupon(1, A, 1, 0, 5, 0, 0, 0.5, 1);
    assertThat(whole.owedTokens()).isEqualTo(5);
    assertThat(whole.isRedeemed()).isFalse();
    assertThat(whole.isAwarded()).isFalse();
    Coupon used = new Coupon(1, A, 1, 0, 5, 5, 0, 0.5, 1);
    assertThat(used.isRedeemed()).isTrue();
    assertThat(used.owedTokens()).isZero();
    assertThat(used.regretNodeSeconds()).isZero();
    assertThat(whole.redeemed(5)).isEqualTo(used);
    assertThat(whole.redeemed(1).owedTokens()).isEqualTo(4);
    assertThat(whole.redeemed(1).unredeemedMillionths()).isEqualTo(800_000);
    assertThat(whole.awarded(1).awardedNodeSeconds()).isEqualTo(1);
    assertThat(new Coupon(1, A, 1, 0, 1, 0, 0, 3, 1).regretNodeSeconds())
        .as("a third of a node-second, rounded up")
        .isEqualTo(1);

    notMade(() -> new Coupon(0, A, 1, 0, 5, 0, 0, 1, 1), "coupon 0 is the application's 1");
    notMade(() -> new Coupon(1, A, 0, 0, 5, 0, 0, 1, 1), "coupon 1 is the application's 0");
    notMade(() -> new Coupon(1, A, 1, 0, 5, -1, 0, 1, 1), "redeemed -1 of 5");
    notMade(() -> new Coupon(1, A, 1, 0, 5, 6, 0, 1, 1), "redeemed 6 of 5");
    notMade(() -> new Coupon(1, A, 1, 0, 5, 0, -1, 1, 1), "awarded -1 node-seconds");
    notMade(() -> new Coupon(1, A, 1, 0, 5, 0, 0, 0, 1), "fair rate 0.0");
    notMade(() -> new Coupon(1, A, 1, 0, 5, 0, 0, 1, 0), "nodes 0");
    notMade(() -> whole.redeemed(0), "0 tokens of 5 that are owed");
    notMade(() -> whole.redeemed(6), "6 tokens of 5 that are owed");
    notMade(() -> whole.awarded(0), "0 node-seconds for 5 tokens");
    notMade(() -> used.awarded(1), "1 node-seconds for 0 tokens");
  }

  private static void notMade(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void onlyNewCouponsAreIssued() {
    refused(
        TWO,
        new LedgerEvent.Issued(new Coupon(3, A, 3, 0, 5, 1, 0, 1, 1)),
        "not the next one, after 2 coupons");
    refused(
        TWO,
        new LedgerEvent.Issued(new Coupon(3, A, 3, 0, 5, 0, 1, 1, 1)),
        "not the next one, after 2 coupons");
  }

  /** With more than a window of coupons in a period all of them count. */
  @Test
  void theSystemsRateIsOverAllCouponsOfThePeriod() {
    assertThat(TWO.redemptionRate(2)).isZero();
    assertThat(TWO.redemptionRate(8)).isEqualTo(0.75);
    CouponLedger more =
        TWO.with(
            List.of(
                new LedgerEvent.Redeemed(A, 1, 100),
                new LedgerEvent.PeriodBegan(9),
                new LedgerEvent.Issued(coupon(3, 3, 100)),
                new LedgerEvent.Redeemed(A, 3, 50)));
    assertThat(more.redemptionRate(1)).as("of one coupon in this period half").isEqualTo(0.5);
    assertThat(more.redemptionRate(5)).isEqualTo(0.9);
    assertThat(more.account(A).redemptionRate(1)).as("its last").isEqualTo(0.5);
    assertThat(more.account(A).redemptionRate(2)).as("its last two").isEqualTo(0.25);
    assertThat(more.account(A).owedTokens()).isEqualTo(350);
  }

  private static void refused(CouponLedger ledger, LedgerEvent event, String message) {
    assertThatThrownBy(() -> ledger.with(List.of(event)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
