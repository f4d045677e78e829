package dev.sluice.core.policy.sdqpro;

import dev.sluice.core.fair.WholeTokens;

/**
 * Keeps what a server grants in a slot within what it can serve in it.
 *
 * <p>What is required comes first: where it is more than the server has, each application gets the
 * same part of it. What is left goes to tokens that nobody requires yet, each again the same part.
 */
final class ServerLimit {
  private ServerLimit() {}

  /**
   * Cuts the grants.
   *
   * <p>Theorem. {@code Σ granted ≤ limit}, no grant is more than its tokens, and if the tokens are
   * within the limit all are granted.
   *
   * @param tokens what each application has here
   * @param useful how many of those it requires here
   */
  static long[] grants(long[] tokens, long[] useful, long limit) {
    long[] required = part(useful, limit);
    long left = limit;
    long[] spare = new long[tokens.length];
    for (int i = 0; i < tokens.length; i++) {
      left -= required[i];
      spare[i] = tokens[i] - useful[i];
    }
    long[] more = part(spare, left);
    long[] granted = new long[tokens.length];
    for (int i = 0; i < tokens.length; i++) {
      granted[i] = required[i] + more[i];
    }
    return granted;
  }

  private static long[] part(long[] wanted, long limit) {
    long sum = 0;
    for (long each : wanted) {
      sum += each;
    }
    if (sum <= limit) {
      return wanted.clone();
    }
    int count = wanted.length;
    double[] real = new double[count];
    for (int i = 0; i < count; i++) {
      real[i] = (double) wanted[i] * limit / sum;
    }
    long[] whole = new long[count];
    new WholeTokens(count).round(count, real, new double[count], wanted, limit, whole);
    return whole;
  }
}
