package dev.sluice.history.sample;

import dev.sluice.history.model.Event;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells when something begins to go wrong and when it is well again. Its words may change while it
 * lasts, as they do when they say for how long; that is no news. Not thread-safe.
 */
public final class Troubles {
  private final Map<String, String> lasting = new LinkedHashMap<>();

  /**
   * Takes note of how it is now.
   *
   * @param now what is wrong, by what it is about
   * @return what is news
   */
  public List<Event> look(Map<String, String> now, long nowMillis) {
    List<Event> news = new ArrayList<>();
    now.forEach((subject, words) -> {
      if (lasting.put(subject, words) == null) {
        news.add(new Event(nowMillis, Event.Kind.TROUBLE, "", subject, words));
      }
    });
    lasting
        .entrySet()
        .removeIf(before -> {
          boolean over = !now.containsKey(before.getKey());
          if (over) {
            news.add(
                new Event(
                    nowMillis,
                    Event.Kind.TROUBLE,
                    "",
                    before.getKey(),
                    "it is well again; before: " + before.getValue()));
          }
          return over;
        });
    return news;
  }
}
