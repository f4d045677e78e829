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

  /**
   * The same part of everything, of which nobody gets nothing as long as there is a token for each:
   * who wants little beside many would be rounded down to nothing in every slot.
   */
  private static long[] part(long[] wanted, long limit) {
    int count = wanted.length;
    long sum = 0;
    int wanting = 0;
    for (long each : wanted) {
      sum += each;
      wanting += each > 0 ? 1 : 0;
    }
    if (sum <= limit) {
      return wanted.clone();
    }
    int first = limit >= wanting ? 1 : 0;
    long left = limit - (long) first * wanting;
    long[] more = new long[count];
    double[] real = new double[count];
    for (int i = 0; i < count; i++) {
      more[i] = wanted[i] > 0 ? wanted[i] - first : 0;
      real[i] = (double) more[i] * left / (sum - (long) first * wanting);
    }
    long[] whole = new long[count];
    new WholeTokens(count).round(count, real, new double[count], more, left, whole);
    for (int i = 0; i < count; i++) {
      whole[i] += wanted[i] > 0 ? first : 0;
    }
    return whole;
  }
}
