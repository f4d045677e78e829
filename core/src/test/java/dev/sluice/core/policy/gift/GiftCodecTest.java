package dev.sluice.core.policy.gift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.StateText;
import dev.sluice.core.policy.StateTexts;
import dev.sluice.core.policy.UnreadableStateException;
import dev.sluice.core.policy.gift.LedgerEvent.Issued;
import dev.sluice.core.policy.gift.LedgerEvent.PeriodBegan;
import dev.sluice.core.policy.progress.Expansion.Objective;
import dev.sluice.core.policy.progress.ShareBasis;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That what is kept goes on as before is tested of every policy. */
class GiftCodecTest {
  private static final GiftCodec CODEC =
      new GiftCodec(
          new GiftSettings(0.8, 0.1, 250, Objective.GAIN, ShareBasis.NODES, 10, 20, 3_600, 4_000));

  @Test
  void whoKeepsBooksIsToldWhatIsInThem() {
    List<LedgerEvent> entries =
        List.of(new PeriodBegan(5), new Issued(new Coupon(1, JobId.of("a"), 1, 5, 10, 0, 0, 1, 1)));
    CouponLedger books = CouponLedger.EMPTY.with(entries);
    GiftState state = new GiftState(books, 7, entries);
    assertThat(CODEC.books(state)).isSameAs(books);
    assertThat(CODEC.entries(state)).isEqualTo(entries);
    assertThat(CODEC.restored(books))
        .as("before the first decision with them")
        .isEqualTo(new GiftState(books, 0, List.of()));
    assertThat(CODEC.regretBudgetNodeSeconds()).isEqualTo(3_600);
    assertThat(CODEC.claim()).isEqualTo(ShareBasis.NODES);
    assertThat(CODEC.keptNanos()).as("as long as coupons are remembered").isEqualTo(4_000);
  }

  @Test
  void booksThatContradictThemselvesAreRefused() {
    String one = "books 2 1\nperiod 5 0 1000000 0\naccount \"a\" 1\ncoupon 1 1 5 10 0 0 1.0 1";
    assertThat(read(one).ledger().account(JobId.of("a")).owedTokens()).isEqualTo(10);
    refused("application a holds", one.replace("books 2 1", "books 2 0"));
    refused("1000000 millionths are not redeemed, of 999999", one.replace("1000000", "999999"));
    refused("application a is there twice", one + "\naccount \"a\" 1\ncoupon 1 1 5 10 0 0 1.0 1");
  }

  private static GiftState read(String lines) {
    String head = "sluice policy state\npolicy \"gift\" 1 77\ntarget \"t\" 9 0 1\n";
    return StateText.read(CODEC, StateTexts.signed(head + lines)).state();
  }

  private static void refused(String message, String lines) {
    assertThatThrownBy(() -> read(lines))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining(message);
  }
}
