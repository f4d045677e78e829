package dev.sluice.jobs.slurm;

import dev.sluice.core.schedule.AccountShares;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An account of Slurm's, with its users and the accounts below it. Not thread-safe.
 *
 * <p>Accounts are a tree of any depth, and jobs are in all of them; where we share, accounts are
 * side by side. So an account counts for as much as its own users have together, the accounts below
 * it not included.
 *
 * <p>Theorem. While all users are busy, those of each account get what Slurm calls their normalized
 * shares: of what the root has, the product of the parts that they and each account above them have
 * among those beside them.
 */
final class SlurmAccount {
  /** What a user counts for who has no shares of its own: one, as a new user does. */
  private static final double ONE = 1;

  private static final String KEEPER = "Slurm";

  private final String name;

  /** Null where whoever is in it has a share beside those that are beside it. */
  private final @Nullable Long shares;

  private final List<SlurmAccount> accounts = new ArrayList<>();
  private final Map<String, Double> users = new HashMap<>();

  private SlurmAccount(String name, @Nullable Long shares) {
    this.name = name;
    this.shares = shares;
  }

  /** The account that all others are below, which has everything. */
  static SlurmAccount root(String name) {
    return new SlurmAccount(name, 1L);
  }

  String name() {
    return name;
  }

  /**
   * Adds an account below this one.
   *
   * @param itsShares null where it has those of its parent
   */
  SlurmAccount account(String below, @Nullable Long itsShares) {
    SlurmAccount account = new SlurmAccount(below, itsShares);
    accounts.add(account);
    return account;
  }

  /**
   * Adds a user of this account, who may be there several times, for several partitions.
   *
   * @param itsShares null where it has those of the account
   */
  void user(String user, @Nullable Long itsShares) {
    users.merge(user, itsShares == null ? ONE : itsShares, Double::sum);
  }

  /** What all below this account have, which is a root. */
  AccountShares shares() {
    Map<String, Double> ofAccounts = new HashMap<>();
    Map<String, Map<String, Double>> ofUsers = new HashMap<>();
    // In shares of the root's own members, so that an account directly below it has what Slurm
    // says.
    divide(membersShares(), ofAccounts, ofUsers);
    return new AccountShares(KEEPER, ofAccounts, ofUsers);
  }

  /** Divides what this account has among its members, and theirs among those below. */
  private void divide(
      double has, Map<String, Double> ofAccounts, Map<String, Map<String, Double>> ofUsers) {
    double sum = membersShares();
    // Where nobody has any share, all have the same.
    divide(sum > 0 ? has / sum : 0, sum > 0 ? 0 : has / members(), ofAccounts, ofUsers);
  }

  private void divide(
      double perShare,
      double perMember,
      Map<String, Double> ofAccounts,
      Map<String, Map<String, Double>> ofUsers) {
    if (!users.isEmpty()) {
      double own = users.values().stream().mapToDouble(Double::doubleValue).sum();
      ofAccounts.merge(name, own * perShare + users.size() * perMember, Double::sum);
      ofUsers.computeIfAbsent(name, _ -> new HashMap<>()).putAll(users);
    }
    for (SlurmAccount account : accounts) {
      if (account.shares == null) {
        account.divide(perShare, perMember, ofAccounts, ofUsers);
      } else {
        account.given(account.shares * perShare + perMember, ofAccounts, ofUsers);
      }
    }
  }

  private void given(
      double has, Map<String, Double> ofAccounts, Map<String, Map<String, Double>> ofUsers) {
    if (members() == 0) {
      // Somebody may be there all the same, where Slurm does not insist on associations.
      ofAccounts.merge(name, has, Double::sum);
    } else {
      divide(has, ofAccounts, ofUsers);
    }
  }

  /** The shares of all who are beside each other in this account. */
  private double membersShares() {
    double sum = users.values().stream().mapToDouble(Double::doubleValue).sum();
    for (SlurmAccount account : accounts) {
      sum += account.shares == null ? account.membersShares() : account.shares;
    }
    return sum;
  }

  private long members() {
    long count = users.size();
    for (SlurmAccount account : accounts) {
      count += account.shares == null ? account.members() : 1;
    }
    return count;
  }
}
