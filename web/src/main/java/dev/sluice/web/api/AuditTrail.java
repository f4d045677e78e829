package dev.sluice.web.api;

import dev.sluice.command.JsonLine;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** Who changed what and when: the last changes are kept, all are logged. Safe for many threads. */
public final class AuditTrail {
  private static final System.Logger LOG = System.getLogger(AuditTrail.class.getName());
  private static final int KEPT_MAX = 200;

  private final Deque<Change> changes = new ArrayDeque<>();
  private long lastId;

  /**
   * A change that was made.
   *
   * @param what in words
   * @param undo the commands that take it back, in order; none where nothing can
   */
  record Change(long id, Instant at, String who, String what, List<String> undo, boolean undone) {
    Change {
      undo = List.copyOf(undo);
    }

    void write(JsonGenerator json) {
      json.writeStartObject();
      json.writeNumberProperty("id", id);
      json.writeNumberProperty("at_ms", at.toEpochMilli());
      json.writeStringProperty("who", who);
      json.writeStringProperty("what", what);
      json.writeBooleanProperty("can_undo", !undo.isEmpty() && !undone);
      json.writeBooleanProperty("undone", undone);
      json.writeEndObject();
    }
  }

  /** Notes a change down. */
  synchronized Change add(String who, String what, List<String> undo, Instant at) {
    LOG.log(Level.INFO, "changed by " + who + ": " + what);
    Change change = new Change(++lastId, at, who, what, undo, false);
    changes.addFirst(change);
    if (changes.size() > KEPT_MAX) {
      changes.removeLast();
    }
    return change;
  }

  /**
   * Takes the right to undo a change, which is there once; empty when there is no such change, it
   * cannot be undone, or it was.
   */
  synchronized Optional<Change> takeUndo(long id) {
    List<Change> kept = new ArrayList<>(changes);
    for (int i = 0; i < kept.size(); i++) {
      Change change = kept.get(i);
      if (change.id == id && !change.undone && !change.undo.isEmpty()) {
        kept.set(i, new Change(id, change.at, change.who, change.what, change.undo, true));
        changes.clear();
        changes.addAll(kept);
        return Optional.of(change);
      }
    }
    return Optional.empty();
  }

  /** The number of the last change, by which whoever looks sees that there is a new one. */
  public synchronized long lastId() {
    return lastId;
  }

  /** The changes, the last first. */
  synchronized String json() {
    return JsonLine.object(json -> {
      json.writeArrayPropertyStart("changes");
      for (Iterator<Change> kept = changes.iterator(); kept.hasNext(); ) {
        kept.next().write(json);
      }
      json.writeEndArray();
    });
  }
}
