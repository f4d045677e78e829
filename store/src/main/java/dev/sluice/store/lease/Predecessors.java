package dev.sluice.store.lease;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What members say about whom they have obeyed, and how far a leader believes it. Pure; not
 * thread-safe.
 *
 * <p>Who has obeyed a leader with a higher number than ours, or another with the same, will not
 * obey us: the database has forgotten that leader. So we must lead under a higher number. A member
 * may lie, and each new number is written down by every node; so each member is believed once a
 * minute, and no further than numbers can have got: it would take thousands of years of lies to use
 * them up.
 */
public final class Predecessors {
  /** Ahead of ours: as many as there are if the leader changes every 2 s for a year. */
  static final long AHEAD_MAX = 1L << 24;

  /** A controller that leads without a database takes the time for its number, in milliseconds. */
  static final long CLOCK_AHEAD_MILLIS_MAX = 86_400_000L;

  static final long BELIEVED_AGAIN_NANOS = 60_000_000_000L;

  private static final int MEMBERS_MAX = 20_000;

  private final Map<String, Long> believedNanos = new LinkedHashMap<>();

  /** What to do about a member. */
  public sealed interface Verdict {
    /** It will obey us. */
    record Welcome() implements Verdict {}

    /** It will not, until we lead above the leader that it has obeyed. */
    record Outdo(String reason) implements Verdict {}

    /** It will not, and is not believed. */
    record Refuse(String reason) implements Verdict {}
  }

  /**
   * Judges what a member says.
   *
   * @param obeyed whom it says that it has obeyed
   * @param us who we are
   * @param clockMillis since 1970
   */
  public Verdict judge(String member, Leader obeyed, Leader us, long clockMillis, long nowNanos) {
    if (obeyed.epoch() >= 0 && (obeyed.epoch() < us.epoch() || obeyed.mayBe(us))) {
      return new Verdict.Welcome();
    }
    String says = member + " has obeyed " + words(obeyed, us) + ", and this is " + us.epoch();
    long most = Math.max(us.epoch() + AHEAD_MAX, clockMillis + CLOCK_AHEAD_MILLIS_MAX);
    if (obeyed.epoch() < 0 || obeyed.epoch() > most) {
      return new Verdict.Refuse(
          says
              + "; expected at most "
              + most
              + ": no leader can have such a number, and the file in which the member keeps it is"
              + " to be removed");
    }
    Long before = believedNanos.get(member);
    if (before != null && nowNanos - before < BELIEVED_AGAIN_NANOS) {
      return new Verdict.Refuse(says + ", and it has said such a thing within the last minute");
    }
    believedNanos.remove(member);
    if (believedNanos.size() >= MEMBERS_MAX) {
      believedNanos.remove(believedNanos.keySet().iterator().next());
    }
    believedNanos.put(member, nowNanos);
    return new Verdict.Outdo(says);
  }

  private static String words(Leader obeyed, Leader us) {
    return obeyed.epoch() == us.epoch()
        ? "another leader " + obeyed.epoch()
        : "leader " + Long.toUnsignedString(obeyed.epoch());
  }
}
