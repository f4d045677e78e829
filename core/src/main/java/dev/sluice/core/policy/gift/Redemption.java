package dev.sluice.core.policy.gift;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.progress.FairShares;
import dev.sluice.core.policy.progress.JobsOnTargets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What applications get back of what they are owed: as much as the gaps that fair rates leave on
 * all of a job's targets. Nobody loses anything by it. Who has waited longest is first.
 */
final class Redemption {
  private final double[] fair;
  private final long[] tokens;
  private final double[] safe;

  private Redemption(double[] fair, long[] tokens, double[] safe) {
    this.fair = fair;
    this.tokens = tokens;
    this.safe = safe;
  }

  /** Redeems and enters it into the books. */
  static Redemption of(JobsOnTargets on, DecisionBooks books) {
    double[] fair = FairShares.synchronous(on);
    double[] safe = fair.clone();
    long[] tokens = new long[on.jobs()];
    double[] gaps = on.gaps(fair);
    for (int i : longestOwedFirst(on, books)) {
      JobId application = on.application(i);
      double room = Double.POSITIVE_INFINITY;
      for (int e = on.begin(i); e < on.begin(i + 1); e++) {
        room = Math.min(room, gaps[on.entryTarget(e)] / on.entryProcesses(e));
      }
      double fits = Math.max(0, room) * on.processes(i) * on.tokensPerPeriod();
      tokens[i] = Math.min((long) fits, books.account(application).owedTokens());
      if (tokens[i] == 0) {
        continue;
      }
      double rate = Worth.rate(on, i, tokens[i]);
      safe[i] += rate;
      for (int e = on.begin(i); e < on.begin(i + 1); e++) {
        gaps[on.entryTarget(e)] -= on.entryProcesses(e) * rate;
      }
      books.redeem(application, tokens[i]);
    }
    return new Redemption(fair, tokens, safe);
  }

  private static List<Integer> longestOwedFirst(JobsOnTargets on, DecisionBooks books) {
    long[] oldest = new long[on.jobs()];
    for (int i = 0; i < oldest.length; i++) {
      oldest[i] = books.account(on.application(i)).oldestOwed();
    }
    return IntStream.range(0, oldest.length)
        .filter(i -> oldest[i] < Long.MAX_VALUE)
        .boxed()
        .sorted(Comparator.comparingLong(i -> oldest[i]))
        .toList();
  }

  /** The fair rates. */
  double[] fair() {
    return fair;
  }

  /** Fair rates with what is redeemed on top: nobody can object to them. */
  double[] safe() {
    return safe;
  }

  long tokens(int job) {
    return tokens[job];
  }
}
