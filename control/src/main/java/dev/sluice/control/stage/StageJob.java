package dev.sluice.control.stage;

import dev.sluice.core.model.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A job on all the nodes that it runs on. Not thread-safe. */
public final class StageJob {
  private final JobId id;
  private String user;
  private final List<MemberJob> places = new ArrayList<>();

  /** Where it is said to be, and is not believed to be. */
  private final List<MemberJob> uncounted = new ArrayList<>();

  private final OperationFigures done = new OperationFigures();
  private boolean resized = true;

  /** The turn in which somebody last did something here, by what it was. */
  private final Map<Integer, Long> busyTurns = new HashMap<>();

  StageJob(JobId id, String user) {
    this.id = id;
    this.user = user;
  }

  public JobId id() {
    return id;
  }

  /** Whose it is, as most of its nodes say; where as many say otherwise, as was said first. */
  public String user() {
    return user;
  }

  private void countUsers() {
    Map<String, Long> nodes = new LinkedHashMap<>();
    places.forEach(place -> nodes.merge(place.user(), place.nodes(), Long::sum));
    long most = 0;
    for (Map.Entry<String, Long> said : nodes.entrySet()) {
      if (said.getValue() > most) {
        most = said.getValue();
        user = said.getKey();
      }
    }
  }

  List<MemberJob> places() {
    return places;
  }

  /** Where it is said to be, and is not believed to be. */
  List<MemberJob> uncounted() {
    return uncounted;
  }

  boolean isOf(StageMember member) {
    return places.stream().anyMatch(place -> place.member() == member)
        || uncounted.stream().anyMatch(place -> place.member() == member);
  }

  void addUncounted(MemberJob place) {
    uncounted.add(place);
    resized = true;
  }

  /** A place counts from now on, or does not any more, or is of another size. */
  void judged(MemberJob place, boolean countedBefore) {
    if (countedBefore != place.isCounted()) {
      (countedBefore ? places : uncounted).remove(place);
      (countedBefore ? uncounted : places).add(place);
    }
    resized();
  }

  void remove(MemberJob place) {
    if (!places.remove(place)) {
      uncounted.remove(place);
    }
    resized();
  }

  /** The nodes that say that they have it, believed or not, and whose each says that it is. */
  public Map<String, String> said() {
    Map<String, String> said = new LinkedHashMap<>();
    for (List<MemberJob> some : List.of(places, uncounted)) {
      for (MemberJob place : some) {
        place.places().forEach(node -> said.put(node.node(), node.user()));
      }
    }
    return said;
  }

  void resized() {
    resized = true;
    countUsers();
  }

  /** Whether it has more or fewer nodes or processes than when this was asked last. */
  public boolean takeResized() {
    boolean was = resized;
    resized = false;
    return was;
  }

  public long nodes() {
    long nodes = 0;
    for (MemberJob place : places) {
      nodes += place.nodes();
    }
    return nodes;
  }

  public long processes() {
    long processes = 0;
    for (MemberJob place : places) {
      processes += place.processes();
    }
    return processes;
  }

  /** All that was reported and not cleared by whoever asks for it. */
  public OperationFigures done() {
    return done;
  }

  /** What it used lately, on all nodes together. */
  public long usagePerSecond(RateKey key) {
    long usage = 0;
    for (MemberJob place : places) {
      usage += place.usagePerSecond(key);
    }
    return usage;
  }

  /** Whether some of it would have done more, had it been let. */
  public boolean isPressed(RateKey key) {
    for (MemberJob place : places) {
      if (place.isPressed(key)) {
        return true;
      }
    }
    return false;
  }

  /** What it may do on all nodes together, as was last said; {@link Rates#NONE} for no limit. */
  public long allowedPerSecond(RateKey key) {
    long allowed = 0;
    for (MemberJob place : places) {
      long part = place.wanted(key);
      if (part == Rates.NONE) {
        return Rates.NONE;
      }
      allowed += part;
    }
    return allowed;
  }

  /** Lets it do so much on all its nodes together from the next orders on. */
  public void allow(RateKey key, long perSecond, long turn) {
    int count = places.size();
    if (count == 1) {
      places.getFirst().want(key, perSecond);
      return;
    }
    RateSplit.NodeClaim[] claims = new RateSplit.NodeClaim[count];
    boolean idle = true;
    for (int i = 0; i < count; i++) {
      claims[i] = places.get(i).claim(key);
      idle &= claims[i].usagePerSecond() == 0 && !claims[i].pressed();
    }
    // What cannot be divided need not go around among nodes that use nothing, and all of them would
    // have to be told; unless there is so little that some would never have any.
    if (!idle || perSecond < count) {
      busyTurns.put(key.number(), turn);
    }
    long[] parts = RateSplit.split(perSecond, claims, busyTurns.getOrDefault(key.number(), 0L));
    for (int i = 0; i < count; i++) {
      places.get(i).want(key, parts[i]);
    }
  }

  /** Lifts this limit, if there is one, from the next orders on. */
  public void lift(RateKey key) {
    for (MemberJob place : places) {
      place.want(key, Rates.NONE);
    }
  }

  /** Takes all limits away but for these, by a bit for each number. */
  public void liftAllBut(long[] numberBits) {
    for (MemberJob place : places) {
      place.wantOnly(numberBits);
    }
  }
}
