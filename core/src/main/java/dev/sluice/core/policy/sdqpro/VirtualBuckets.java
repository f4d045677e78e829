package dev.sluice.core.policy.sdqpro;

import java.util.Arrays;

/**
 * The tokens of one application for one slot, by server: first spread evenly, then lent by servers
 * that have some to spare to servers where the application requires more.
 *
 * <p>Theorem. Whatever is lent and borrowed, the tokens on all servers together stay what the
 * application desires; no server lends a token that is required there; and borrowing ends, because
 * every step either meets a server's requirement or exhausts a lender, of which there are finitely
 * many.
 */
final class VirtualBuckets {
  private final long[] tokens;
  private final long[] required;
  private final long[] borrowed;

  /** Servers with tokens to spare, in the first places. */
  private final int[] lenders;

  private int lenderCount;

  /** Spreads the desired tokens evenly; what does not divide goes to the first servers. */
  VirtualBuckets(long desired, long[] required) {
    int servers = required.length;
    this.required = required.clone();
    tokens = new long[servers];
    borrowed = new long[servers];
    lenders = new int[servers];
    Arrays.fill(tokens, desired / servers);
    for (int s = 0; s < desired % servers; s++) {
      tokens[s]++;
    }
  }

  /**
   * Lets every server with too few tokens borrow from others: of two chosen at random, the one with
   * more to spare lends, until the requirement is met or nobody has any left.
   *
   * @param enough when so many tokens in all are of use, nothing more is borrowed
   */
  void borrow(long enough, SplitMix random) {
    long missingOfEnough = enough - useful();
    lenderCount = 0;
    for (int s = 0; s < tokens.length; s++) {
      if (spare(s) > 0) {
        lenders[lenderCount++] = s;
      }
    }
    for (int s = 0; s < tokens.length && lenderCount > 0 && missingOfEnough > 0; s++) {
      while (required[s] > tokens[s] && lenderCount > 0 && missingOfEnough > 0) {
        int lender = choose(random);
        int from = lenders[lender];
        long amount = Math.min(Math.min(required[s] - tokens[s], spare(from)), missingOfEnough);
        tokens[from] -= amount;
        tokens[s] += amount;
        borrowed[s] += amount;
        missingOfEnough -= amount;
        if (spare(from) == 0) {
          lenders[lender] = lenders[--lenderCount];
        }
      }
    }
  }

  /** Two at random, and of those the one with more to spare; the only one where there is one. */
  private int choose(SplitMix random) {
    if (lenderCount == 1) {
      return 0;
    }
    int one = random.below(lenderCount);
    int other = random.below(lenderCount - 1);
    other += other >= one ? 1 : 0;
    return spare(lenders[other]) > spare(lenders[one]) ? other : one;
  }

  private long spare(int server) {
    return tokens[server] - Math.min(tokens[server], required[server]);
  }

  /** How many tokens lie where they are required. */
  long useful() {
    long sum = 0;
    for (int s = 0; s < tokens.length; s++) {
      sum += useful(s);
    }
    return sum;
  }

  /** How many tokens on this server are required there. */
  long useful(int server) {
    return Math.min(tokens[server], required[server]);
  }

  long tokens(int server) {
    return tokens[server];
  }

  long required(int server) {
    return required[server];
  }

  long borrowed(int server) {
    return borrowed[server];
  }

  /** What the application asked of all servers together. */
  long required() {
    return Arrays.stream(required).sum();
  }

  /** How many tokens were borrowed on all servers together. */
  long borrowed() {
    return Arrays.stream(borrowed).sum();
  }
}
