package dev.sluice.core.schedule;

import java.util.HashMap;
import java.util.Map;

/**
 * How many shares each account has, and each user within an account, by somebody else's books.
 *
 * @param keeper whose books these are, for people: {@code Slurm}
 * @param accounts by name; all in one unit
 * @param users by account and name; in a unit of each account's own
 */
public record AccountShares(
    String keeper, Map<String, Double> accounts, Map<String, Map<String, Double>> users) {
  /** Nobody keeps any. */
  public static final AccountShares NONE = new AccountShares("", Map.of(), Map.of());

  public AccountShares {
    accounts = checked(accounts);
    Map<String, Map<String, Double>> copy = HashMap.newHashMap(users.size());
    users.forEach((account, shares) -> copy.put(account, checked(shares)));
    users = Map.copyOf(copy);
  }

  private static Map<String, Double> checked(Map<String, Double> shares) {
    shares.forEach((name, share) -> {
      if (!(share >= 0 && share < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "the shares of %s must be 0 or more, not %s".formatted(name, share));
      }
    });
    return Map.copyOf(shares);
  }
}
