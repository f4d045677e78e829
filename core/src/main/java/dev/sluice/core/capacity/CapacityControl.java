package dev.sluice.core.capacity;

import dev.sluice.core.model.Operation;
import dev.sluice.core.model.TokenUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds out what a storage can do from how it serves what it is given, and holds what it is given
 * to that. It controls two things:
 *
 * <ul>
 *   <li>how many requests are in service at once ({@link Depth}): enough to keep the storage busy,
 *       few enough that requests wait here, where their order is ours;
 *   <li>how fast they are handed out ({@link Ceiling}, by a {@link Pacer}), in what they cost by a
 *       {@link CostModel}: so that caches behind are not kept full.
 * </ul>
 *
 * <p>It looks ten times a second at how the time went. While as many requests are in service as may
 * be and others wait, the storage is what is short, and what it delivers is what it can do: less
 * than it was given means that latency grew without throughput, and the ceiling is cut to it. While
 * requests wait only for the ceiling, the storage does well, and the ceiling climbs. While nothing
 * waits, nothing is learnt.
 *
 * <p>A stall or a burst into a cache is averaged over {@link #WINDOW_SLOTS}: shorter ones change
 * little. Not thread-safe; the caller brings the time.
 */
public final class CapacityControl {
  /** What the target is doing between two events. */
  public enum State {
    /** Nothing waits. */
    EMPTY,
    /** Something waits, and as many are in service as may be. */
    FULL,
    /** Something waits, and the pace holds it. */
    PACED,
    /** Something waits for a reason of its own, as a limit. */
    HELD
  }

  private static final long SLOT_NANOS = 100_000_000;

  /** Over so many slots what is delivered is averaged. */
  private static final int WINDOW_SLOTS = 50;

  /** So long the storage must be what is short before it counts. */
  private static final int SHORT_SLOTS = 2;

  /** What is delivered now, where it may be more than it was. */
  private static final int RECENT_SLOTS = 10;

  /** The standard error of that, in those of the window. */
  private static final double RECENT_ERROR = Math.sqrt((double) WINDOW_SLOTS / RECENT_SLOTS);

  /** So many standard errors are no reason to believe that less is delivered than given. */
  private static final double DOUBT_ERRORS = 2.5;

  /** Delivering as much of the ceiling counts as trying it. */
  private static final double TRIED = 0.85;

  /** What a storage is given holds its unsteadiness down: it is remembered over some cuts. */
  private static final double ERROR_KEPT = 0.9;

  private static final double ERROR_REMEMBERED_MAX = 0.025;

  private static final double DOUBT_MIN = 0.006;

  /** What is delivered for about so many slots is not a burst. */
  private static final int LASTING_SLOTS = 80;

  /** Nothing is said of what is delivered before so many slots were seen. */
  private static final int FIRST_SLOTS = 25;

  /** A cut has this long to show. */
  private static final int CUT_SLOTS = 15;

  /** A storage that is short for so long although it delivers what it was given has too much. */
  private static final int LONG_SHORT_SLOTS = 80;

  /** A look at latencies takes as many requests. */
  private static final int LOOK_REQUESTS = 64;

  private static final int LOOK_SLOTS_MAX = 20;
  private static final int LOOK_REQUESTS_MIN = 8;

  /** How often latencies in calm are looked at though nothing has changed, and how seldom. */
  private static final int DIP_EVERY_SLOTS = 6_000;

  private static final int DIP_APART_SLOTS = 100;

  /** The same where only latencies differ from what was expected. */
  private static final int DIP_DOUBTS_APART_SLOTS = 600;

  /** A capacity that differs as much from what it was makes latencies in calm doubtful. */
  private static final double CHANGED = 1.25;

  /** From here on a part of time counts as most of it, or as none of it. */
  private static final double MOSTLY = 0.7;

  private static final double ALWAYS = 0.97;
  private static final double HARDLY = 0.2;

  /** No storage is as quick: what takes less was in memory. */
  private static final long MEMORY_NANOS = 40_000;

  private static final long MEMORY_BYTES_PER_NANO = 2;

  /** The last so many requests say whether memory answers. */
  private static final double MEMORY_REQUESTS = 32;

  /** Nobody feels that nothing is done for less. */
  private static final long STALL_NANOS = 20_000_000;

  /** Nor is it remarkable where it takes as many requests' time, or theirs in calm. */
  private static final double STALL_REQUESTS = 5;

  private static final double STALL_CALMS = 3;

  /** What was done about stalls has this long to show. */
  private static final long STALL_APART_NANOS = 1_000_000_000;

  /** Stalls so short a time before it was found to be slower than it was came from that. */
  private static final long STALLS_OF_CHANGE_NANOS = 15_000_000_000L;

  /** For how long nothing is done about stalls where it was in vain, and again in vain. */
  private static final long STALLS_LEFT_NANOS = 600_000_000_000L;

  private static final long STALLS_LEFT_NANOS_MAX = 8 * STALLS_LEFT_NANOS;

  /** A storage behind a limit may have saved up so much of its time, in seconds. */
  private static final double SAVED_SECONDS = 0.2;

  private enum Phase {
    /** One request at a time: how long does it take? */
    ALONE,
    /** More and more at once, as fast as the storage takes them. */
    OPENING,
    STEADY,
    /** Few at once for a moment, to see how long requests take in calm. */
    DIPPING
  }

  private final CapacityBounds bounds;
  private final CostModel costs;
  private final CalmLatencies latencies = new CalmLatencies();
  private final Depth depth;
  private final Ceiling ceiling = new Ceiling();
  private final Pacer pacer;
  private final Stalls stalls;

  private Phase phase = Phase.ALONE;
  private State state = State.EMPTY;
  private long stateSinceNanos;

  private long slotEndNanos;
  private long emptyNanos;
  private long fullNanos;
  private long pacedNanos;
  private long heldNanos;
  private double slotCost;
  private double slotTokens;

  /** By slot, of the last that were: what was delivered, in how much time requests waited. */
  private final double[] delivered = new double[WINDOW_SLOTS];

  /** By slot, the ceiling. */
  private final double[] given = new double[WINDOW_SLOTS];

  private final double[] shortPart = new double[WINDOW_SLOTS];
  private final boolean[] counts = new boolean[WINDOW_SLOTS];
  private long slots;

  private double rememberedError;
  private int shortSlots;
  private long lastCutSlot;
  private long lookSlot;
  private long lookFromNanos;
  private double lookShortSlots;
  private double lookDelivered;
  private final double[] lookParts = new double[CostModel.PARTS];
  private double lastStretch = 1;
  private double lastCalmNanos;

  private long lastDipSlot;
  private double depthBeforeDip;
  private double capacityAtDip;

  /** When something was done about stalls last, and until when nothing is. */
  private long stallSeenNanos;

  private long stallsLeftUntilNanos;
  private long stallsLeftNanos = STALLS_LEFT_NANOS;

  /** What was delivered while requests waited, as a mean over a while. */
  private double lastingPerSecond;

  private boolean heldByLimits;

  /** Which part of requests memory answered of late. Until something else is seen, all. */
  private double memoryPart = 1;

  /** What others than the storage hold it to. */
  private long heldTokensPerSecond = Long.MAX_VALUE;

  private double tokensPerCost = 1;
  private double meanCost;
  private String why = "nothing was seen yet";
  private long whyNanos;

  public CapacityControl(CapacityBounds bounds, TokenUnit unit, long nowNanos) {
    this.bounds = bounds;
    this.costs = new CostModel(unit);
    this.depth = new Depth(bounds.depthMax());
    this.pacer = new Pacer(bounds.mostPerSecond(), nowNanos);
    this.stalls = new Stalls(nowNanos);
    this.stallSeenNanos = nowNanos;
    this.stallsLeftUntilNanos = nowNanos;
    this.stateSinceNanos = nowNanos;
    this.slotEndNanos = nowNanos + SLOT_NANOS;
    this.whyNanos = nowNanos;
    this.lookFromNanos = nowNanos;
  }

  /** Whether one more may be in service. */
  public boolean hasRoom(int inService) {
    // Memory is no storage that anything could queue in.
    return inService < bounds.depthMax() && (isMemory() || depth.hasRoom(inService));
  }

  /** What holds requests to what is believed, in what they cost by {@link #cost}. */
  public Pacer pacer() {
    return pacer;
  }

  /**
   * Gives the storage no more than this from now on, in tokens a second, whatever it can do; the
   * largest number for all that it can. While it is given less nothing more is tried.
   */
  public void hold(long tokensPerSecond) {
    heldTokensPerSecond = tokensPerSecond;
    pace();
  }

  /** The ceiling, or less where others hold it. */
  private double heldPerSecond() {
    return isHeld()
        ? Math.min(ceiling.perSecond(), heldTokensPerSecond / tokensPerCost)
        : ceiling.perSecond();
  }

  /** Whether it is not the ceiling that holds requests back. */
  private boolean isHeldBelow() {
    return isHeld() && heldPerSecond() < ceiling.perSecond();
  }

  private boolean isHeld() {
    return heldTokensPerSecond < Long.MAX_VALUE;
  }

  /** What a request costs of what the pacer counts; what it is handed out for. */
  public long cost(Operation operation, long operations, long bytes) {
    return Math.max(1, Math.round(costs.cost(operation, operations, bytes)));
  }

  /** What so many tokens cost, with the mix of late. */
  public long costOf(long tokens) {
    return Math.round(tokens / tokensPerCost);
  }

  /** A request is handed out for this cost. */
  public void handedOut(long cost, long nowNanos) {
    depth.handedOut();
    stalls.handedOut(nowNanos);
    pacer.spend(cost, nowNanos);
  }

  /** It is in this state from now on, until it is told again. */
  public void is(State now, long nowNanos) {
    advance(nowNanos);
    state = now;
  }

  /**
   * A request has been served. What it cost less or more than it was handed out for is settled; one
   * that memory answered cost the storage nothing, and says nothing of it.
   *
   * @param tokens what it was worth on its target
   * @param handedOutFor what it was taken to cost
   * @param tookNanos how long the storage took
   */
  public void completed(
      Operation operation,
      long operations,
      long bytes,
      long tokens,
      long handedOutFor,
      long tookNanos,
      long nowNanos) {
    advance(nowNanos);
    boolean memory = isFromMemory(operation, bytes, tookNanos);
    boolean wasMemory = isMemory();
    memoryPart += ((memory ? 1 : 0) - memoryPart) / MEMORY_REQUESTS;
    if (wasMemory && !isMemory()) {
      // What was handed out before was not held to the depth.
      lookAnew(nowNanos);
    }
    double cost = memory ? 0 : costs.cost(operation, operations, bytes);
    long dearer = Math.round(cost) - handedOutFor;
    if (dearer > 0) {
      pacer.spend(dearer, nowNanos);
    } else {
      pacer.giveBack(-dearer);
    }
    long quietNanos = stalls.completed(nowNanos);
    if (!memory) {
      if (quietNanos >= stallNanos()) {
        stalled(quietNanos, nowNanos);
      }
      meanCost += (cost - meanCost) / LOOK_REQUESTS;
      slotCost += cost;
      slotTokens += tokens;
      costs.addTo(lookParts, operation, operations, bytes);
      if (nowNanos - tookNanos - lookFromNanos >= 0) {
        latencies.took(operation, bytes, tookNanos);
      }
    }
  }

  /** From when on nothing being done is a stall. */
  private double stallNanos() {
    double requestNanos = meanCost / perSecond() * 1e9;
    return Math.max(
        STALL_NANOS, Math.max(STALL_REQUESTS * requestNanos, STALL_CALMS * lastCalmNanos));
  }

  /**
   * Nothing was done for so long though requests were in service. Some storages have such moments
   * whatever they are given. One behind a limit has them as soon as it was given more than that for
   * a while, and what it had saved up is spent: so it is given less, until it has none.
   */
  private void stalled(long nanos, long nowNanos) {
    boolean left = stallsLeftUntilNanos - nowNanos > 0;
    if (phase != Phase.STEADY || !ceiling.isKnown() || isHeldBelow() || left) {
      return;
    }
    if (!stalls.add(nanos, nowNanos)) {
      return;
    }
    if (ceiling.isBeyond()) {
      ceiling.comeBack(provenPerSecond());
      stallsLeftNanos = STALLS_LEFT_NANOS;
      say("given more, it stood still", nowNanos);
    } else if (nowNanos - stallSeenNanos < STALL_APART_NANOS) {
      return;
    } else if (ceiling.lower()) {
      say("it stood still, and is given a little less", nowNanos);
    } else if (!delivers(WINDOW_SLOTS, relativeError())) {
      // What it was believed to do is what was wrong.
      cut(deliveredPerSecond(WINDOW_SLOTS), nowNanos);
      return;
    } else {
      stallsLeftUntilNanos = nowNanos + stallsLeftNanos;
      stallsLeftNanos = Math.min(STALLS_LEFT_NANOS_MAX, 2 * stallsLeftNanos);
      say("it stands still now and then, whatever it is given", nowNanos);
    }
    stalls.forget();
    stallSeenNanos = nowNanos;
    pace();
    // What it missed was not its to have.
    pacer.forget();
  }

  /** What it does at least, if it had saved up all that it can. */
  private double provenPerSecond() {
    double slotsPerSecond = 1e9 / SLOT_NANOS;
    return Math.max(
        deliveredPerSecond(WINDOW_SLOTS) / (1 + SAVED_SECONDS * slotsPerSecond / WINDOW_SLOTS),
        deliveredPerSecond(RECENT_SLOTS) / (1 + SAVED_SECONDS * slotsPerSecond / RECENT_SLOTS));
  }

  /** Whether memory answers most requests. */
  private boolean isMemory() {
    return memoryPart > 0.5;
  }

  /** What changes something costs the storage, sooner or later; other requests may not. */
  private static boolean isFromMemory(Operation operation, long bytes, long tookNanos) {
    return switch (operation) {
      case READ, LOOKUP, ACCESS, GETATTR, READLINK, STATFS, READDIR, GETXATTR, LISTXATTR ->
          tookNanos < MEMORY_NANOS + bytes / MEMORY_BYTES_PER_NANO;
      default -> false;
    };
  }

  /** What is believed now. */
  public CapacityBelief belief(long nowNanos) {
    Map<String, Double> prices = new TreeMap<>();
    for (CostModel.Part part : CostModel.Part.values()) {
      prices.put(part.name().toLowerCase(Locale.ROOT).replace('_', ' '), costs.dearness(part));
    }
    double deliveredPerSecond = deliveredPerSecond(WINDOW_SLOTS);
    return new CapacityBelief(
        isKnown(),
        believedPerSecond() * tokensPerCost,
        deliveredPerSecond * tokensPerCost,
        depth.value(),
        lastStretch,
        Math.round(lastCalmNanos),
        why,
        whyNanos,
        prices);
  }

  /** Whether anything can be said of what it can do. */
  public boolean isKnown() {
    return ceiling.isKnown();
  }

  /** What the target is believed to serve, in tokens a second, with the mix of late. */
  public long tokensPerSecond() {
    double tokens = Math.min((double) bounds.mostPerSecond(), believedPerSecond() * tokensPerCost);
    return Math.max(1, Math.round(tokens));
  }

  /** What it is given at most. */
  private double perSecond() {
    return ceiling.isKnown() ? bounds.within(ceiling.perSecond()) : (double) bounds.mostPerSecond();
  }

  /**
   * What it is believed to serve: not what is just being tried, unless it was delivered for a
   * while, for a cache takes a burst in. Where limits made of this belief hold requests back,
   * trying it means believing it.
   */
  private double believedPerSecond() {
    if (!ceiling.isKnown()) {
      return (double) bounds.mostPerSecond();
    }
    double shown = Math.max(ceiling.most(), lastingPerSecond);
    return bounds.within(heldByLimits ? ceiling.perSecond() : Math.min(shown, ceiling.perSecond()));
  }

  // ---- Time passes ----

  private void advance(long nowNanos) {
    if (nowNanos - slotEndNanos > 2 * WINDOW_SLOTS * SLOT_NANOS && state == State.EMPTY) {
      // Nothing was learnt meanwhile, and nobody need count the slots.
      slotEndNanos += (nowNanos - slotEndNanos) / SLOT_NANOS * SLOT_NANOS;
      stateSinceNanos = slotEndNanos - SLOT_NANOS;
    }
    while (nowNanos - slotEndNanos >= 0) {
      spend(slotEndNanos);
      endSlot(slotEndNanos);
      slotEndNanos += SLOT_NANOS;
    }
    spend(nowNanos);
  }

  private void spend(long untilNanos) {
    long nanos = untilNanos - stateSinceNanos;
    if (nanos > 0) {
      switch (state) {
        case EMPTY -> emptyNanos += nanos;
        case FULL -> {
          fullNanos += nanos;
          pacer.missed(nanos);
        }
        case PACED -> pacedNanos += nanos;
        case HELD -> heldNanos += nanos;
      }
      stateSinceNanos = untilNanos;
    }
  }

  private void endSlot(long nowNanos) {
    int slot = (int) (slots % WINDOW_SLOTS);
    double full = (double) fullNanos / SLOT_NANOS;
    boolean waits = emptyNanos < HARDLY * SLOT_NANOS;
    delivered[slot] = slotCost;
    given[slot] = ceiling.isKnown() ? heldPerSecond() : slotCost * (1e9 / SLOT_NANOS);
    shortPart[slot] = full;
    counts[slot] = waits && (phase == Phase.STEADY || phase == Phase.OPENING);
    slots++;
    shortSlots = full >= ALWAYS ? shortSlots + 1 : 0;
    if (counts[slot]) {
      double now = slotCost * (1e9 / SLOT_NANOS);
      lastingPerSecond += (now - lastingPerSecond) / LASTING_SLOTS;
      heldByLimits = heldNanos > pacedNanos;
    }
    lookShortSlots += full;
    lookDelivered += slotCost;
    if (slotCost > 0) {
      tokensPerCost += 0.1 * (slotTokens / slotCost - tokensPerCost);
    }
    if (phase == Phase.STEADY) {
      adjustCeiling(waits, nowNanos);
    }
    adjustDepth(nowNanos);
    emptyNanos = 0;
    fullNanos = 0;
    pacedNanos = 0;
    heldNanos = 0;
    slotCost = 0;
    slotTokens = 0;
  }

  /** Over the last slots, as far as requests waited in them; 0 when they did in none. */
  private double deliveredPerSecond(int last) {
    double sum = 0;
    int counted = 0;
    for (long i = Math.max(0, slots - last); i < slots; i++) {
      int slot = (int) (i % WINDOW_SLOTS);
      if (counts[slot]) {
        sum += delivered[slot];
        counted++;
      }
    }
    return counted == 0 ? 0 : sum / counted * (1e9 / SLOT_NANOS);
  }

  /**
   * The standard error of what was delivered over the window, as a part of it: from slots, or from
   * seconds where these differ more than their slots explain.
   */
  private double relativeError() {
    return Math.max(relativeError(1), relativeError(RECENT_SLOTS));
  }

  private double relativeError(int slotsTogether) {
    double sum = 0;
    double squares = 0;
    int counted = 0;
    for (long from = Math.max(0, slots - WINDOW_SLOTS); from < slots; from += slotsTogether) {
      double together = 0;
      boolean all = true;
      for (long i = from; i < Math.min(slots, from + slotsTogether); i++) {
        int slot = (int) (i % WINDOW_SLOTS);
        all &= counts[slot];
        together += delivered[slot];
      }
      if (all) {
        sum += together;
        squares += together * together;
        counted++;
      }
    }
    if (sum == 0) {
      return 0;
    }
    double mean = sum / counted;
    return Math.sqrt(Math.max(0, squares / counted - mean * mean) / counted) / mean;
  }

  /** For what part of the last slots the storage was what is short. */
  private double meanShort(int last) {
    double sum = 0;
    for (long i = Math.max(0, slots - last); i < slots; i++) {
      sum += shortPart[(int) (i % WINDOW_SLOTS)];
    }
    return sum / last;
  }

  private void adjustCeiling(boolean waits, long nowNanos) {
    if (meanShort(SHORT_SLOTS) >= MOSTLY) {
      double error = Math.max(relativeError(), rememberedError);
      double recent = deliveredPerSecond(RECENT_SLOTS);
      double rate =
          Math.max(
              deliveredPerSecond(WINDOW_SLOTS) * (1 + error), recent * (1 - error * RECENT_ERROR));
      boolean delivers =
          ceiling.isKnown()
              && delivers(WINDOW_SLOTS, error)
              && delivers(RECENT_SLOTS, error * RECENT_ERROR);
      boolean settled = slots - lastCutSlot >= CUT_SLOTS;
      // Given less than it is believed to do, a storage that can do that is not short of anything.
      boolean heldInVain = isHeld() && meanShort(WINDOW_SLOTS) >= MOSTLY;
      boolean deepEnough = depth.isMost() || lastStretch >= Depth.THRESHOLD * 0.9;
      if (rate > 0
          && deepEnough
          && settled
          && countedSlots() >= FIRST_SLOTS
          && (!delivers || heldInVain || shortSlots >= LONG_SHORT_SLOTS)) {
        cut(delivers && !heldInVain ? ceiling.perSecond() : rate, nowNanos);
      }
    } else if (waits && meanShort(RECENT_SLOTS) < ALWAYS && isTried() && !isHeldBelow()) {
      ceiling.climb(SLOT_NANOS / 1e9);
      pace();
    }
  }

  private int countedSlots() {
    int counted = 0;
    for (boolean each : counts) {
      counted += each ? 1 : 0;
    }
    return counted;
  }

  /** Whether the storage was given what it may have: else it cannot show that it takes more. */
  private boolean isTried() {
    return deliveredPerSecond(RECENT_SLOTS) >= TRIED * ceiling.perSecond();
  }

  /** Whether over the last slots as much was delivered as given, but for chance. */
  private boolean delivers(int last, double error) {
    double sum = 0;
    int counted = 0;
    for (long i = Math.max(0, slots - last); i < slots; i++) {
      int slot = (int) (i % WINDOW_SLOTS);
      if (counts[slot]) {
        sum += given[slot];
        counted++;
      }
    }
    double doubt = Math.max(DOUBT_MIN, DOUBT_ERRORS * error);
    // What was given before a cut is settled.
    double wanted = counted == 0 ? 0 : Math.min(sum / counted, heldPerSecond());
    return deliveredPerSecond(last) >= (1 - doubt) * wanted;
  }

  private void cut(double rate, long nowNanos) {
    boolean first = !ceiling.isKnown();
    double before = ceiling.perSecond();
    rememberedError =
        Math.max(Math.min(ERROR_REMEMBERED_MAX, relativeError()), ERROR_KEPT * rememberedError);
    ceiling.cut(rate, rememberedError);
    pace();
    pacer.forget();
    // What is queued in the storage is served first.
    double queued = depth.value() * (1 - 1 / Math.max(1, lastStretch));
    pacer.spend(Math.round(queued * meanCost), nowNanos);
    stalls.forget();
    boolean changed = Math.abs(rate / before - 1) > CHANGED - 1;
    if (changed && nowNanos - stallSeenNanos < STALLS_OF_CHANGE_NANOS) {
      stallsLeftUntilNanos = nowNanos;
    }
    lastCutSlot = slots;
    shortSlots = 0;
    say(
        first
            ? "in full use for the first time, it delivered so much"
            : String.format(
                Locale.ROOT,
                "latency grew without throughput: it was given %.0f %% of what it delivered",
                100 * before / rate),
        nowNanos);
  }

  private void pace() {
    pacer.rate(Math.max(1, Math.round(Math.min(perSecond(), heldPerSecond()))));
  }

  private void say(String words, long nowNanos) {
    why = words;
    whyNanos = nowNanos;
  }

  // ---- How many at once ----

  private void adjustDepth(long nowNanos) {
    long looked = slots - lookSlot;
    boolean enough =
        latencies.seen() >= LOOK_REQUESTS
            || (looked >= LOOK_SLOTS_MAX && latencies.seen() >= LOOK_REQUESTS_MIN);
    if (!enough) {
      return;
    }
    double full = lookShortSlots / looked;
    double stretch = latencies.stretch();
    switch (phase) {
      case ALONE -> {
        latencies.learn();
        if (full >= MOSTLY) {
          phase = Phase.OPENING;
          depth.open(1);
        }
      }
      case OPENING -> {
        if (full >= MOSTLY) {
          lastStretch = stretch;
          if (!depth.open(stretch)) {
            phase = Phase.STEADY;
            lastDipSlot = slots;
            Arrays.fill(counts, false);
          }
          latencies.look();
        } else {
          latencies.lower();
        }
      }
      case STEADY -> lookSteadily(full, stretch, looked, nowNanos);
      case DIPPING -> endDip();
    }
    beginLook();
  }

  /** Looks at requests alone that are handed out from now on. */
  private void lookAnew(long nowNanos) {
    latencies.look();
    lookFromNanos = nowNanos;
    beginLook();
  }

  private void beginLook() {
    lookSlot = slots;
    lookShortSlots = 0;
    lookDelivered = 0;
    Arrays.fill(lookParts, 0);
  }

  private void lookSteadily(double full, double stretch, long looked, long nowNanos) {
    lastStretch = stretch;
    lastCalmNanos = latencies.expectedNanos();
    if (full < MOSTLY) {
      if (full <= HARDLY / 2) {
        latencies.lower();
      } else {
        latencies.look();
      }
      if (slots - lastDipSlot >= DIP_EVERY_SLOTS && ceiling.isKnown()) {
        dip(nowNanos);
      }
      return;
    }
    latencies.look();
    double grown = costs.learn(lookParts, lookDelivered / looked * (1e9 / SLOT_NANOS));
    if (grown != 1) {
      ceiling.scale(grown);
      tokensPerCost /= grown;
      for (int i = 0; i < WINDOW_SLOTS; i++) {
        delivered[i] *= grown;
        given[i] *= grown;
      }
      lastingPerSecond *= grown;
      pace();
      say("another mix showed what kinds of requests cost", nowNanos);
    }
    long sinceDip = slots - lastDipSlot;
    double capacity = deliveredPerSecond(WINDOW_SLOTS);
    boolean changed =
        capacityAtDip == 0
            || (capacity > 0 && Math.abs(Math.log(capacity / capacityAtDip)) > Math.log(CHANGED));
    boolean doubtful = stretch > 1.5 * depth.stretchAtRest() || stretch < 0.67;
    if (ceiling.isKnown()
        && ((changed && sinceDip >= DIP_APART_SLOTS)
            || (doubtful && sinceDip >= DIP_DOUBTS_APART_SLOTS))) {
      dip(nowNanos);
    } else if (!doubtful || sinceDip < DIP_APART_SLOTS) {
      depth.step(stretch);
    }
  }

  private void dip(long nowNanos) {
    depthBeforeDip = depth.value();
    depth.set(depth.value() / 4);
    phase = Phase.DIPPING;
    lookAnew(nowNanos);
  }

  private void endDip() {
    if (lookShortSlots == 0) {
      // Nobody asked for more than the few.
      latencies.lower();
    } else {
      latencies.learn();
    }
    depth.set(depthBeforeDip);
    phase = Phase.STEADY;
    lastDipSlot = slots;
    capacityAtDip = deliveredPerSecond(WINDOW_SLOTS);
    lastCutSlot = slots;
    pacer.forget();
    if (capacityAtDip == 0) {
      capacityAtDip = ceiling.perSecond();
    }
  }
}
