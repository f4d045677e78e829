package dev.sluice.history.alert;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which alerts fire. Not thread-safe; the caller brings the time.
 *
 * <p>An alert fires once when what it is about has lasted as long as the rules say, and is over
 * once when that has not been seen for as long as they say. Something that comes and goes faster
 * than that makes no alert and ends none, so nothing flaps: between two notices of one alert there
 * is always the time that the rules ask for.
 */
public final class AlertStates {
  /** More alerts than anybody can look into; what comes on top is not followed. */
  static final int KEYS_MAX = 1_000;

  /**
   * A gap so short does not end what has begun: a target at its limit is not there every second.
   */
  static final long GAP_MILLIS = 10_000;

  private final Map<AlertKey, State> states = new LinkedHashMap<>();
  private AlertRules rules;

  /** How one alert is. */
  private static final class State {
    final long sinceNanos;
    long seenNanos;
    String words;
    boolean fires;

    State(long nowNanos, String words) {
      this.sinceNanos = nowNanos;
      this.seenNanos = nowNanos;
      this.words = words;
    }
  }

  public AlertStates(AlertRules rules) {
    this.rules = rules;
  }

  /** Follows other rules from now on. */
  public void follow(AlertRules changed) {
    rules = changed;
  }

  /**
   * Takes note of what is so now.
   *
   * @param seen what an alert could be about, and in which words
   * @return what there is to tell
   */
  public List<Notice> look(Map<AlertKey, String> seen, long nowNanos) {
    seen.forEach((key, words) -> {
      State state = states.get(key);
      if (state != null && !state.fires && calmMillis(state, nowNanos) > GAP_MILLIS) {
        states.put(key, new State(nowNanos, words));
      } else if (state != null) {
        state.seenNanos = nowNanos;
        state.words = words;
      } else if (rules.after(key.kind()) != null && states.size() < KEYS_MAX) {
        states.put(key, new State(nowNanos, words));
      }
    });
    List<Notice> notices = new ArrayList<>();
    Iterator<Map.Entry<AlertKey, State>> all = states.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<AlertKey, State> entry = all.next();
      if (isOver(entry.getKey(), entry.getValue(), nowNanos, notices)) {
        all.remove();
      }
    }
    return notices;
  }

  private boolean isOver(AlertKey key, State state, long nowNanos, List<Notice> notices) {
    Long after = rules.after(key.kind());
    long lastedMillis = TimeUnit.NANOSECONDS.toMillis(state.seenNanos - state.sinceNanos);
    long calmMillis = calmMillis(state, nowNanos);
    if (state.fires) {
      boolean over = after == null || (calmMillis > 0 && calmMillis >= rules.resolveMillis());
      if (over) {
        notices.add(new Notice(key, false, lastedMillis, state.words));
      }
      return over;
    }
    if (after == null || calmMillis > GAP_MILLIS) {
      return true;
    }
    if (calmMillis == 0 && lastedMillis >= rules.seenMillis(key.kind())) {
      state.fires = true;
      notices.add(new Notice(key, true, lastedMillis, state.words));
    }
    return false;
  }

  private static long calmMillis(State state, long nowNanos) {
    return TimeUnit.NANOSECONDS.toMillis(nowNanos - state.seenNanos);
  }

  /** How many alerts of each kind fire now. */
  public Map<AlertKind, Integer> firing() {
    Map<AlertKind, Integer> counts = new HashMap<>();
    states.forEach((key, state) -> {
      if (state.fires) {
        counts.merge(key.kind(), 1, Integer::sum);
      }
    });
    return counts;
  }

  /** The alerts that fire now, in words. */
  public Map<AlertKey, String> firingInWords() {
    Map<AlertKey, String> words = new LinkedHashMap<>();
    states.forEach((key, state) -> {
      if (state.fires) {
        words.put(key, state.words);
      }
    });
    return words;
  }
}
