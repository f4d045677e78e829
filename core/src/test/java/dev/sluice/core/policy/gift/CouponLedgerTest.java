package dev.sluice.core.policy.gift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import java.util.List;
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

  private static void refused(CouponLedger ledger, LedgerEvent event, String message) {
    assertThatThrownBy(() -> ledger.with(List.of(event)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
