package dev.sluice.core.schedule.themis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A group in the tree of shares, and in it what waits: groups and jobs with something queued. */
final class Branch extends Lottery.Ticket {
  final List<String> path;
  final @Nullable Branch parent;
  final Lottery<Lottery.Ticket> waiting = new Lottery<>();

  Branch(List<String> path, @Nullable Branch parent) {
    this.path = path;
    this.parent = parent;
  }

  /** A member has something queued; so have the groups that it hangs in. */
  void enter(Lottery.Ticket member) {
    waiting.enter(member);
    if (waiting.size() == 1 && parent != null) {
      parent.enter(this);
    }
  }

  /** A member has nothing queued any more. */
  void leave(Lottery.Ticket member) {
    waiting.leave(member);
    if (waiting.size() == 0 && parent != null) {
      parent.leave(this);
    }
  }

  @Override
  public String toString() {
    return "group " + path;
  }
}
