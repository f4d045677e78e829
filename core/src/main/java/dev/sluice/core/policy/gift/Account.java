package dev.sluice.core.policy.gift;

import java.util.ArrayList;
import java.util.List;

/**
 * The coupons of one application that are not redeemed, oldest first: those that it is still owed,
 * and those that were paid for in compute time and still speak against it. Immutable.
 *
 * @param issued how many it was issued since it last had none
 */
public record Account(long issued, List<Coupon> coupons) {
  static final Account EMPTY = new Account(0, List.of());

  public Account {
    coupons = List.copyOf(coupons);
  }

  public long owedTokens() {
    long sum = 0;
    for (Coupon coupon : coupons) {
      sum += coupon.owedTokens();
    }
    return sum;
  }

  /**
   * How much of the last {@code window} coupons was redeemed, 0 to 1. Coupons that were never
   * issued count as redeemed, so that an application of which nothing is known may be throttled.
   */
  public double redemptionRate(long window) {
    long unredeemed = 0;
    for (Coupon coupon : coupons) {
      if (isWithin(window, coupon)) {
        unredeemed += coupon.unredeemedMillionths();
      }
    }
    return 1 - (double) unredeemed / ((double) window * Coupon.WHOLE_MILLIONTHS);
  }

  /** Whether the coupon is among the last so many. */
  boolean isWithin(long window, Coupon coupon) {
    return coupon.ordinal() > issued - window;
  }

  /** When its oldest coupon that is still owed was issued: the number of that, or the largest. */
  long oldestOwed() {
    for (Coupon coupon : coupons) {
      if (coupon.owedTokens() > 0) {
        return coupon.number();
      }
    }
    return Long.MAX_VALUE;
  }

  Account issued(Coupon coupon) {
    List<Coupon> all = new ArrayList<>(coupons);
    all.add(coupon);
    return new Account(coupon.ordinal(), all);
  }

  /** With this coupon in the place of the one with its number. */
  Account replaced(Coupon changed) {
    List<Coupon> all = new ArrayList<>(coupons);
    all.set(indexOf(changed.number()), changed);
    return new Account(issued, all);
  }

  Account without(long number) {
    List<Coupon> all = new ArrayList<>(coupons);
    all.remove(indexOf(number));
    return new Account(issued, all);
  }

  Coupon coupon(long number) {
    return coupons.get(indexOf(number));
  }

  private int indexOf(long number) {
    for (int i = 0; i < coupons.size(); i++) {
      if (coupons.get(i).number() == number) {
        return i;
      }
    }
    throw new IllegalArgumentException("there is no open coupon " + number);
  }
}
