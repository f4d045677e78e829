package dev.sluice.ledger;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.gift.Account;
import dev.sluice.core.policy.gift.Coupon;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who is owed what, and how the regret budget is.
 *
 * @param counted what a token is; null before anybody was ever owed anything
 * @param applications who is owed most first
 * @param assessedNanos when regret was last assessed, since 1970; null before the first time
 * @param awardedNodeSeconds what was found due then
 * @param regretNodeSeconds what would have to be paid if nothing that is owed were redeemed
 */
public record LedgerSummary(
    @Nullable Counted counted,
    List<Application> applications,
    long couponsIssued,
    @Nullable Long assessedNanos,
    long awardedNodeSeconds,
    long regretBudgetNodeSeconds,
    long regretNodeSeconds) {
  public LedgerSummary {
    applications = List.copyOf(applications);
  }

  /** Books in which nothing was ever entered. */
  public static final LedgerSummary EMPTY = new LedgerSummary(null, List.of(), 0, null, 0, 0, 0);

  /** What an application was issued and got back in all. */
  record Totals(long coupons, long issuedTokens, long redeemedTokens) {
    static final Totals NONE = new Totals(0, 0, 0);
  }

  /**
   * What one application is owed.
   *
   * @param openCoupons those on which something is owed
   * @param regretNodeSeconds the compute time that what is owed has cost it
   * @param dueNodeSeconds awarded, and not handed out yet
   */
  public record Application(
      String name,
      long openCoupons,
      long owedTokens,
      long couponsIssued,
      long issuedTokens,
      long redeemedTokens,
      long regretNodeSeconds,
      long dueNodeSeconds,
      long handedOutNodeSeconds) {}

  static LedgerSummary of(
      LedgerDatabase.Stored stored, Map<String, Totals> totals, List<Award> awards) {
    Map<String, Long> due = new HashMap<>();
    Map<String, Long> handedOut = new HashMap<>();
    for (Award award : awards) {
      (award.handedOutNanos() == null ? due : handedOut)
          .merge(award.application(), award.nodeSeconds(), Long::sum);
    }
    List<Application> applications = new ArrayList<>();
    for (Map.Entry<String, Totals> known : totals.entrySet()) {
      String name = known.getKey();
      Account account = stored.ledger().account(JobId.of(name));
      applications.add(
          new Application(
              name,
              account.coupons().stream().filter(coupon -> coupon.owedTokens() > 0).count(),
              account.owedTokens(),
              known.getValue().coupons(),
              known.getValue().issuedTokens(),
              known.getValue().redeemedTokens(),
              account.coupons().stream().mapToLong(Coupon::regretNodeSeconds).sum(),
              due.getOrDefault(name, 0L),
              handedOut.getOrDefault(name, 0L)));
    }
    applications.sort(
        Comparator.comparingLong(Application::owedTokens)
            .thenComparingLong(Application::dueNodeSeconds)
            .reversed()
            .thenComparing(Application::name));
    boolean hasBegun = stored.ledger().period().hasBegun();
    long assessedNanos = stored.ledger().period().beganAtNanos();
    return new LedgerSummary(
        stored.counted(),
        applications,
        stored.ledger().couponsIssued(),
        hasBegun ? assessedNanos : null,
        awards.stream()
            .filter(award -> award.awardedNanos() == assessedNanos)
            .mapToLong(Award::nodeSeconds)
            .sum(),
        stored.regretBudgetNodeSeconds(),
        stored.ledger().regretNodeSeconds());
  }
}
