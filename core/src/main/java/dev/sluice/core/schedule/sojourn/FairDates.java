package dev.sluice.core.schedule.sojourn;

import dev.sluice.core.schedule.IndexedHeap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fair sharing by weight among the phases of known size, as nobody is served by it: when it would
 * be done with each. Its time goes on with what these phases are really served, and needs no clock.
 */
final class FairDates {
  /** Virtual time is in these parts of a token for a weight of 1. */
  static final long PARTS = 1L << 20;

  /** When virtual time is set back. */
  static final long VIRTUAL_MAX = 1L << 60;

  /** The phases that fair sharing would not be done with, by when it would be. */
  private final IndexedHeap<PhaseQueue.FairDate> dates = new IndexedHeap<>();

  private final VirtualSteps steps = new VirtualSteps();
  private long weight;
  private long time;

  /** The virtual time that so many tokens are for a weight. */
  static long virtual(long tokens, long weight) {
    return tokens * PARTS / weight;
  }

  /** The same tokens beyond an instant of virtual time at another weight. */
  static long reweighed(long tag, long from, long before, long weight) {
    long beyond = (long) ((double) (tag - from) * before / weight);
    return tag <= from ? tag : from + Math.clamp(beyond, 1, VIRTUAL_MAX);
  }

  /** What those weigh together that it is not done with. */
  long weight() {
    return weight;
  }

  /** How far it has come. */
  long time() {
    return time;
  }

  /** So many tokens were served, of a phase of this weight; answers what that is in its time. */
  long goOn(long tokens, long served) {
    long gone = steps.step(tokens, Math.max(weight, served));
    time += gone;
    return gone;
  }

  /** How far from now it is done with what a job was to have so far. */
  long ahead(PhaseQueue queue) {
    return queue.fairDate.isQueued() ? queue.fairDate.tag - time : 0;
  }

  /** It is done with a job's phase so far from now. */
  void set(PhaseQueue queue, long ahead) {
    queue.fairDate.tag = time + Math.min(ahead, VIRTUAL_MAX);
    if (queue.fairDate.isQueued()) {
      dates.update(queue.fairDate, queue.fairDate.tag, 0);
    } else {
      dates.insert(queue.fairDate, queue.fairDate.tag, 0);
      weight += queue.weight;
    }
  }

  /** Takes out one that it is done with by now; null where there is none. */
  @Nullable PhaseQueue pass() {
    if (dates.isEmpty() || dates.minKey() > time) {
      return null;
    }
    PhaseQueue.FairDate date = dates.get(0);
    dates.remove(date);
    weight -= date.queue.weight;
    return date.queue;
  }

  /** A job that had this weight has another; answers whether that changes any date. */
  boolean reweigh(PhaseQueue queue, long before) {
    if (!queue.fairDate.isQueued()) {
      return false;
    }
    weight += queue.weight - before;
    queue.fairDate.tag = reweighed(queue.fairDate.tag, time, before, queue.weight);
    dates.update(queue.fairDate, queue.fairDate.tag, 0);
    return true;
  }

  /** Notes of each phase after how many tokens it is done with it if nobody else comes. */
  void findTokens() {
    List<PhaseQueue.FairDate> byDate = new ArrayList<>(dates.size());
    for (int i = 0; i < dates.size(); i++) {
      byDate.add(dates.get(i));
    }
    byDate.sort(Comparator.comparingLong(date -> date.tag));
    double tokens = 0;
    long tag = time;
    long left = weight;
    for (PhaseQueue.FairDate date : byDate) {
      tokens += (double) (date.tag - tag) / PARTS * left;
      tag = date.tag;
      left -= date.queue.weight;
      date.queue.fairTokens = tokens;
    }
  }

  /** Lets its time begin anew, so that it always fits; the order is as before. */
  void setBack() {
    for (int i = 0; i < dates.size(); i++) {
      dates.get(i).tag -= time;
    }
    // By as much for all, so that no place changes.
    for (int i = 0; i < dates.size(); i++) {
      dates.update(dates.get(i), dates.get(i).tag, 0);
    }
    time = 0;
  }

  /** Throws where the books do not agree with these weights. */
  void checkInvariants(long weights) {
    dates.checkInvariants();
    if (weights != weight) {
      throw new IllegalStateException(
          "dates of the weight " + weights + " are said to be " + weight);
    }
    if (!dates.isEmpty() && dates.minKey() <= time) {
      throw new IllegalStateException("the fair date of " + dates.get(0).queue + " is past");
    }
  }
}
