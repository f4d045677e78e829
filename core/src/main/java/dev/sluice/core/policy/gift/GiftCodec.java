package dev.sluice.core.policy.gift;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.StateReader;
import dev.sluice.core.policy.StateWriter;
import dev.sluice.core.policy.progress.ShareBasis;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes the books, all coupons that are not redeemed. */
record GiftCodec(GiftSettings settings) implements CouponCodec<GiftState> {
  private static final String BOOKS = "books";
  private static final String PERIOD = "period";
  private static final String ACCOUNT = "account";
  private static final String COUPON = "coupon";

  @Override
  public String name() {
    return GiftFactory.NAME;
  }

  @Override
  public CouponLedger books(GiftState state) {
    return state.ledger();
  }

  @Override
  public List<LedgerEvent> entries(GiftState state) {
    return state.events();
  }

  @Override
  public GiftState restored(CouponLedger books) {
    return GiftState.restored(books);
  }

  @Override
  public long regretBudgetNodeSeconds() {
    return settings.regretBudgetNodeSeconds();
  }

  @Override
  public ShareBasis claim() {
    return settings.claim();
  }

  /** As long as a coupon can be held against somebody. */
  @Override
  public long keptNanos() {
    return settings.memoryNanos();
  }

  @Override
  public void write(GiftState state, StateWriter out) {
    CouponLedger ledger = state.ledger();
    CouponLedger.Period period = ledger.period();
    out.line(BOOKS).whole(state.decisions()).whole(ledger.couponsIssued());
    out.line(PERIOD)
        .whole(period.beganAtNanos())
        .whole(period.couponsBefore())
        .whole(period.unredeemedMillionths())
        .whole(period.awardedNodeSeconds());
    new TreeMap<>(ledger.accounts())
        .forEach((application, account) -> {
          out.line(ACCOUNT).job(application).whole(account.issued());
          for (Coupon coupon : account.coupons()) {
            out.line(COUPON)
                .whole(coupon.number())
                .whole(coupon.ordinal())
                .whole(coupon.issuedAtNanos())
                .whole(coupon.worthTokens())
                .whole(coupon.redeemedTokens())
                .whole(coupon.awardedNodeSeconds())
                .real(coupon.fairTokensPerSecond())
                .whole(coupon.nodes());
          }
        });
  }

  @Override
  public GiftState read(StateReader in, Cluster cluster) {
    in.line(BOOKS);
    long decisions = count(in);
    long couponsIssued = count(in);
    in.line(PERIOD);
    CouponLedger.Period period =
        new CouponLedger.Period(instant(in), count(in), count(in), count(in));
    Map<JobId, Account> accounts = new HashMap<>();
    while (in.nextIs(ACCOUNT)) {
      in.line(ACCOUNT);
      JobId application = in.job();
      long issued = count(in);
      List<Coupon> coupons = new ArrayList<>();
      while (in.nextIs(COUPON)) {
        coupons.add(coupon(in.line(COUPON), application));
      }
      if (accounts.put(application, new Account(issued, coupons)) != null) {
        throw new IllegalArgumentException("application " + application + " is there twice");
      }
    }
    CouponLedger ledger = new CouponLedger(accounts, couponsIssued, period);
    ledger.checkInvariants();
    return new GiftState(ledger, decisions, List.of());
  }

  private static Coupon coupon(StateReader in, JobId application) {
    return new Coupon(
        count(in),
        application,
        count(in),
        instant(in),
        count(in),
        count(in),
        count(in),
        in.real(0, Double.MAX_VALUE),
        count(in));
  }

  private static long count(StateReader in) {
    return in.whole(0, Long.MAX_VALUE);
  }

  private static long instant(StateReader in) {
    return in.whole(Long.MIN_VALUE, Long.MAX_VALUE);
  }
}
