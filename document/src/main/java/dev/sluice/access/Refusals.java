package dev.sluice.access;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that a program refuses, in one place: in the log, counted by kind, and in words for whoever
 * looks at its status. Strangers can fill none of them: the log has a line a second, and of each
 * kind the last few are kept. Safe for many threads.
 */
public final class Refusals {
  /** How long a refusal is worth a look. */
  private static final long RECENT_NANOS = 300_000_000_000L;

  /** Each kind has places of its own, so that one who asks for nonsense hides nobody else. */
  private static final int KEPT_PER_KIND = 10;

  private static final int TOLD_MAX = 3;

  /** As many as somebody who asks once a second can hand on. */
  public static final int NEWS_MAX = 10;

  private final RefusalLog log = new RefusalLog();
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Map<Kind, Map<Said, Seen>> kept = new EnumMap<>(Kind.class);
  private final Map<News, Long> news = new LinkedHashMap<>();

  /** What was refused. */
  public enum Kind {
    /** Somebody who is not who he says, or may not be what he says. */
    IDENTITY("identity"),
    /** A member that speaks for nodes that are not its own. */
    NODES("nodes"),
    /** A job that is not where a member says, or not whose. */
    JOB("job"),
    /** What makes no sense, or was there before. */
    MESSAGE("message"),
    /** More than there is room for. */
    ROOM("room"),
    /** What was asked over HTTP. */
    HTTP("http");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** For labels of metrics, and for programs. */
    public String text() {
      return text;
    }

    /** The one with this text; null where there is none. */
    public static @Nullable Kind named(String text) {
      for (Kind kind : values()) {
        if (kind.text.equals(text)) {
          return kind;
        }
      }
      return null;
    }
  }

  private record Said(String who, String why) {}

  private record Seen(long times, long lastNanos) {}

  private record News(Kind kind, Said said) {}

  /** A refusal as it is shown: who was told why, how often, and how long ago the last time. */
  public record Recent(Kind kind, String who, String why, long times, long agoNanos) {
    /** In words: {@code n002: job 4711 does not run on n002 (31 times)}. */
    public String words() {
      return who + ": " + why + (times > 1 ? " (" + times + " times)" : "");
    }
  }

  /** Nothing was refused yet. */
  public Refusals() {
    for (Kind kind : Kind.values()) {
      counts.put(kind, 0L);
    }
  }

  /**
   * Notes a refusal down.
   *
   * @param who by the name under which he is known, or by his address
   * @param where he called from and what for, for the log alone; empty where that says nothing more
   */
  public void refused(Kind kind, String who, String where, String why, long nowNanos) {
    refused(kind, who, where, why, 1, nowNanos);
  }

  /** Notes down what somebody has refused for us, and how often. */
  public void refused(Kind kind, String who, String where, String why, long often, long nowNanos) {
    log.refused(who + (where.isEmpty() ? "" : " " + where) + ": " + why, nowNanos);
    synchronized (this) {
      counts.merge(kind, often, Long::sum);
      Map<Said, Seen> ofKind = kept.computeIfAbsent(kind, _ -> new LinkedHashMap<>());
      Said said = new Said(RefusalLog.printable(who), RefusalLog.printable(why));
      Seen before = ofKind.remove(said);
      boolean goesOn = before != null && nowNanos - before.lastNanos <= RECENT_NANOS;
      long times = before != null && goesOn ? before.times + often : often;
      // Put last: what was longest ago goes first.
      ofKind.put(said, new Seen(times, nowNanos));
      if (ofKind.size() > KEPT_PER_KIND) {
        ofKind.remove(ofKind.keySet().iterator().next());
      }
      if (news.size() < NEWS_MAX || news.containsKey(new News(kind, said))) {
        news.merge(new News(kind, said), often, Long::sum);
      }
    }
  }

  /** What was refused since this was asked last, but for what was too much. */
  public synchronized List<Recent> takeNews() {
    List<Recent> taken = new ArrayList<>(news.size());
    news.forEach(
        (one, times) -> taken.add(new Recent(one.kind, one.said.who, one.said.why, times, 0)));
    news.clear();
    return taken;
  }

  /** How many there were of each kind; also of those of which there were none. */
  public synchronized Map<Kind, Long> counts() {
    return new EnumMap<>(counts);
  }

  /** Those of the last five minutes, the newest first. */
  public synchronized List<Recent> recent(long nowNanos) {
    List<Recent> recent = new ArrayList<>();
    kept.forEach((kind, ofKind) ->
        ofKind.forEach((said, seen) -> {
          long ago = Math.max(0, nowNanos - seen.lastNanos);
          if (ago <= RECENT_NANOS) {
            recent.add(new Recent(kind, said.who, said.why, seen.times, ago));
          }
        }));
    recent.sort(Comparator.comparingLong(Recent::agoNanos));
    return recent;
  }

  /** The last of them in a line; null where nothing was refused lately. */
  public @Nullable String words(long nowNanos) {
    List<Recent> recent = recent(nowNanos);
    if (recent.isEmpty()) {
      return null;
    }
    List<String> told = recent.stream().limit(TOLD_MAX).map(Recent::words).toList();
    int more = recent.size() - told.size();
    return "refused in the last 5 min: "
        + String.join("; ", told)
        + (more > 0 ? "; and " + more + " others" : "");
  }
}
