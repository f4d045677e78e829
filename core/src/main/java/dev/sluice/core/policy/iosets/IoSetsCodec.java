package dev.sluice.core.policy.iosets;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.StateReader;
import dev.sluice.core.policy.StateWriter;
import dev.sluice.core.policy.iosets.IoSetsState.Remembered;
import dev.sluice.core.schedule.iosets.IoSetsScheduler;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes in which set each job stands. That is of use only to who divides periods into the same
 * sets.
 *
 * @param mapping which periods make which set now
 */
record IoSetsCodec(SetMapping mapping) implements StateCodec<IoSetsState> {
  private static final String SETS = "sets";
  private static final String ALONE = "alone";
  private static final String MEMBER = "member";
  private static final String NOT_BEFORE = "not-before";
  private static final String GIVEN = "given";

  /** No base makes more sets of the periods there are, in either direction. */
  private static final long INDEX_MAX = 1_000;

  @Override
  public String name() {
    return IoSetsFactory.NAME;
  }

  /** As long as the policy remembers a job that is not there: periods take long to be found. */
  @Override
  public long keptNanos() {
    return IoSets.FORGOTTEN_AFTER_NANOS;
  }

  @Override
  public void write(IoSetsState state, StateWriter out) {
    out.line(SETS).real(mapping.base()).real(mapping.margin());
    state
        .jobs()
        .forEach((job, remembered) -> {
          switch (remembered.standing()) {
            case Standing.Alone(int number) -> begin(out, ALONE, job, remembered).whole(number);
            case Standing.Member(int index, long weight, double seconds, double confidence) ->
                begin(out, MEMBER, job, remembered)
                    .whole(index)
                    .whole(weight)
                    .real(seconds)
                    .real(confidence);
            case Standing.NotBefore(int index, long weight, double seconds) ->
                begin(out, NOT_BEFORE, job, remembered).whole(index).whole(weight).real(seconds);
            case Standing.Given(double priority) ->
                begin(out, GIVEN, job, remembered).real(priority);
          }
        });
  }

  private static StateWriter begin(StateWriter out, String word, JobId job, Remembered remembered) {
    return out.line(word).job(job).whole(remembered.seenNanos());
  }

  @Override
  public IoSetsState read(StateReader in, Cluster cluster) {
    in.line(SETS);
    SetMapping then = new SetMapping(in.real(1, Double.MAX_VALUE), in.real(0, 1));
    if (!then.equals(mapping)) {
      throw in.unfit(
          "it has the sets of base "
              + then.base()
              + " and margin "
              + then.margin()
              + ", and these are "
              + mapping.base()
              + " and "
              + mapping.margin()
              + " now");
    }
    Map<JobId, Remembered> jobs = new TreeMap<>();
    while (true) {
      String word =
          in.nextIs(ALONE)
              ? ALONE
              : in.nextIs(MEMBER)
                  ? MEMBER
                  : in.nextIs(NOT_BEFORE) ? NOT_BEFORE : in.nextIs(GIVEN) ? GIVEN : "";
      if (word.isEmpty()) {
        return new IoSetsState(cluster.only(), jobs);
      }
      in.line(word);
      JobId job = in.job();
      long seenNanos = in.whole(Long.MIN_VALUE, Long.MAX_VALUE);
      if (jobs.put(job, new Remembered(standing(in, word), seenNanos)) != null) {
        throw new IllegalArgumentException("job " + job + " stands there more than once");
      }
    }
  }

  private static Standing standing(StateReader in, String word) {
    return switch (word) {
      // Numbers are the lowest that are free, so that there are no more than jobs.
      case ALONE -> new Standing.Alone((int) in.whole(1, 1 << 24));
      case MEMBER -> new Standing.Member(index(in), weight(in), seconds(in), in.real(0, 1));
      case NOT_BEFORE -> new Standing.NotBefore(index(in), weight(in), seconds(in));
      default ->
          new Standing.Given(
              in.real(Cadence.Prioritised.PRIORITY_MIN, Cadence.Prioritised.PRIORITY_MAX));
    };
  }

  private static int index(StateReader in) {
    return (int) in.whole(-INDEX_MAX, INDEX_MAX);
  }

  private static long weight(StateReader in) {
    return in.whole(1, IoSetsScheduler.WEIGHT_MAX);
  }

  private static double seconds(StateReader in) {
    return in.real(0, Double.MAX_VALUE);
  }
}
