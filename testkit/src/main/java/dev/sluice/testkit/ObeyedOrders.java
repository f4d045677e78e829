package dev.sluice.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A log of whose orders each node has put in force, and the check of it: never are two leaders'
 * orders in force on one node. Orders stay in force until others are; so no node may go back to a
 * leader after it has obeyed another, whether it was started again in between or not, and since
 * leaders are known by their numbers, a number must mean one leader to it. From any thread.
 */
public final class ObeyedOrders {
  private final List<Line> lines = new ArrayList<>();

  /**
   * Orders that a node has put in force.
   *
   * @param leader which process gave them, by a name that no other has
   */
  public record Line(long atNanos, String node, long epoch, String leader) {
    @Override
    public String toString() {
      return atNanos / 1_000_000 + " ms " + node + " obeys " + epoch + " of " + leader;
    }
  }

  /** A node has put orders in force; to be said in the order in which it happened there. */
  public synchronized void obeyed(String node, long epoch, String leader, long atNanos) {
    lines.add(new Line(atNanos, node, epoch, leader));
  }

  /** How many orders were put in force. */
  public synchronized int count() {
    return lines.size();
  }

  /** How often a node has gone over to another leader. */
  public synchronized int changes() {
    Map<String, String> last = new HashMap<>();
    int changes = 0;
    for (Line line : lines) {
      String before = last.put(line.node, line.leader);
      changes += before != null && !before.equals(line.leader) ? 1 : 0;
    }
    return changes;
  }

  /** What is wrong, in words; empty where all is well. */
  public synchronized List<String> violations() {
    Map<String, Line> last = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    for (Line line : lines) {
      Line before = last.put(line.node, line);
      if (before == null) {
        continue;
      }
      if (line.epoch < before.epoch) {
        wrong.add("back: " + line + ", after " + before);
      } else if (line.epoch == before.epoch && !line.leader.equals(before.leader)) {
        wrong.add("two under one number: " + line + ", after " + before);
      }
    }
    return wrong;
  }
}
