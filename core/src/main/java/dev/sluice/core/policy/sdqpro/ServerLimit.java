package dev.sluice.core.policy.sdqpro;

/**
 * Keeps what a server grants in a slot within what it can serve in it. All in parts of a token.
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
   * within the limit all are granted. Whoever requires something gets all of it, a token, or an
   * equal part of the limit among those who do, but for less than one part.
   *
   * @param tokens what each application has here
   * @param useful how many of those it requires here
   */
  static long[] grants(long[] tokens, long[] useful, long limit, long partsPerToken) {
    long[] required = part(useful, limit, partsPerToken);
    long left = limit;
    long[] spare = new long[tokens.length];
    for (int i = 0; i < tokens.length; i++) {
      left -= required[i];
      spare[i] = tokens[i] - useful[i];
    }
    long[] more = part(spare, left, partsPerToken);
    long[] granted = new long[tokens.length];
    for (int i = 0; i < tokens.length; i++) {
      granted[i] = required[i] + more[i];
    }
    return granted;
  }

  /**
   * The same part of everything, after a token or an equal part for each: who wants little beside
   * many would else wait for long to have a whole one.
   */
  static long[] part(long[] wanted, long limit, long partsPerToken) {
    long sum = 0;
    int wanting = 0;
    for (long each : wanted) {
      sum += each;
      wanting += each > 0 ? 1 : 0;
    }
    if (sum <= limit) {
      return wanted.clone();
    }
    long first = Math.min(partsPerToken, limit / wanting);
    long[] granted = new long[wanted.length];
    long left = limit;
    for (int i = 0; i < wanted.length; i++) {
      granted[i] = Math.min(wanted[i], first);
      left -= granted[i];
    }
    double missing = sum - (limit - left);
    double part = left / missing;
    for (int i = 0; i < wanted.length; i++) {
      // The last ones pay where the rounding of doubles has made the sum a little too large.
      long more = Math.min((long) ((wanted[i] - granted[i]) * part), left);
      granted[i] += more;
      left -= more;
    }
    return granted;
  }
}
