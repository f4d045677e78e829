package dev.sluice.core.schedule;

import java.util.HashMap;
import java.util.Map;

/**
 * What accounts, and users in an account, weigh by the shares that they have elsewhere.
 *
 * @param keeper whose books these are, for people; empty where there are none
 * @param ofAccount the users of each account by its name
 */
public record GivenWeights(
    String keeper, SiblingWeights accounts, Map<String, SiblingWeights> ofAccount) {
  /** Everybody weighs 1. */
  public static final GivenWeights NONE = new GivenWeights("", SiblingWeights.EQUAL, Map.of());

  public GivenWeights {
    ofAccount = Map.copyOf(ofAccount);
  }

  /**
   * Weights for these shares.
   *
   * @param mostOfAccounts the most shares that an account is said to have besides
   * @param mostOfUsers the most that a user is
   */
  static GivenWeights of(AccountShares shares, long mostOfAccounts, long mostOfUsers) {
    if (shares.equals(AccountShares.NONE)) {
      return NONE;
    }
    Map<String, SiblingWeights> users = HashMap.newHashMap(shares.users().size());
    shares
        .users()
        .forEach((account, ofIt) -> users.put(account, SiblingWeights.of(ofIt, mostOfUsers)));
    return new GivenWeights(
        shares.keeper(), SiblingWeights.of(shares.accounts(), mostOfAccounts), users);
  }

  /** The users of an account; equal where nothing is known of it. */
  SiblingWeights usersOf(String account) {
    return ofAccount.getOrDefault(account, SiblingWeights.EQUAL);
  }
}
