package dev.sluice.core.schedule.tbf;

import dev.sluice.core.classify.RuleIndex;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.JobTable;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lustre's token bucket filter as designed: every job has a bucket and a queue, the queues are
 * ordered by the instant at which their first request has its tokens, and whoever no rule speaks of
 * waits in a fallback without limit that is served when nothing with tokens waits; what costs no
 * tokens there takes turns with those that have some.
 *
 * <p>Which limits hold for a request: the first rule that matches it, in the order of {@link
 * #start}; else its job's share, as set by {@link #reconfigure}; else none. A rule's rate is for
 * each job that it matches, not for all of them together.
 *
 * <p>What Lustre's own filter gets wrong and this one does not (each has a test): it loses no token
 * to rounding or to a late look; a change of rate fills no bucket, and holds at once for requests
 * that already wait; a job without tokens delays no other; years of idleness overflow nothing; and
 * at the announced instant there is a token.
 *
 * <p>Of a share it honours the limit. No limit is below a reserve, so reserves hold as far as all
 * limits together fit the target; weights change nothing.
 */
public final class TbfScheduler implements RequestScheduler {
  /** More rules than anybody writes by hand; jobs have shares and need none. */
  public static final int RULES_MAX = 10_000;

  /** A queue is only worth looking for once there are this many more than were needed before. */
  private static final int SWEEP_SLACK = 1_024;

  private static final int RANK_SHARES_LAST = 65_535;
  private static final int RANK_SHARES_SPAN = 50_000;
  private static final int SEQUENCE_BITS = 47;

  private final TokenUnit shareUnit;
  private final long shareDepthTokens;
  private final ReadyLine ready = new ReadyLine();
  private final IndexedHeap<TbfQueue> byDeadline = new IndexedHeap<>();
  private final IndexedHeap<TbfQueue> fallbackByArrival = new IndexedHeap<>();
  private final JobTable<TbfQueue> shareQueues = new JobTable<>();

  private final List<ActiveRule> rules = new ArrayList<>();
  private @Nullable RuleIndex<ActiveRule> ruleIndex;

  private long sequence;
  private long generation;
  private int queued;

  /** Whether a free request went before one with tokens, which has its turn now. */
  private boolean lastWasFree;

  private int sweepAtSize = SWEEP_SLACK;
  private Dispatch.NotBefore lastWait = new Dispatch.NotBefore(Long.MAX_VALUE);

  /** A rule and the queues of the jobs that it matched. */
  private static final class ActiveRule {
    final JobTable<TbfQueue> queues = new JobTable<>();
    TbfRule rule;

    ActiveRule(TbfRule rule) {
      this.rule = rule;
    }
  }

  /** Counts shares in the target's unit, with the usual depth. */
  public TbfScheduler(Target target) {
    this(target, TbfLimit.depthTokens(target.unit()));
  }

  /** Counts shares in the target's unit, with buckets of this depth. */
  public TbfScheduler(Target target, long depthTokens) {
    shareUnit = target.unit();
    shareDepthTokens = depthTokens;
  }

  @Override
  public void enqueue(Request request, long nowNanos) {
    place(request, ruleFor(request), sequence++, nowNanos);
    queued++;
  }

  /** Takes charge of a request if a rule matches it; answers whether one does. */
  boolean enqueueIfRuled(Request request, long nowNanos) {
    ActiveRule rule = ruleFor(request);
    if (rule == null) {
      return false;
    }
    place(request, rule, sequence++, nowNanos);
    queued++;
    return true;
  }

  private void place(Request request, @Nullable ActiveRule rule, long place, long nowNanos) {
    JobTable<TbfQueue> queues = queuesOf(rule);
    TbfQueue queue = queues.get(request);
    if (queue == null) {
      queue = newQueue(request.job(), rule, queues, nowNanos);
    }
    boolean wasEmpty = queue.isEmpty();
    queue.append(request, place);
    if (wasEmpty) {
      insert(queue, request, nowNanos);
    }
  }

  private @Nullable ActiveRule ruleFor(Request request) {
    return ruleIndex == null ? null : ruleIndex.first(request.flow(), request.operation());
  }

  /** Whether a rule matches a request. */
  boolean isRuled(Request request) {
    return ruleFor(request) != null;
  }

  private JobTable<TbfQueue> queuesOf(@Nullable ActiveRule rule) {
    return rule == null ? shareQueues : rule.queues;
  }

  private TbfQueue newQueue(
      JobId job, @Nullable ActiveRule rule, JobTable<TbfQueue> queues, long nowNanos) {
    if (queues.size() >= sweepAtSize) {
      sweep(nowNanos);
    }
    TbfQueue queue = new TbfQueue(job);
    if (rule != null) {
      queue.ruled = true;
      queue.rank = rules.indexOf(rule);
      queue.limit(rule.rule.limit(), rule.rule.secondLimit(), nowNanos);
    }
    queues.add(queue);
    return queue;
  }

  /**
   * Forgets queues of which nothing would be missed. The next time is when there are twice as many
   * as are left now, so that looking costs each new job a constant amount.
   */
  private void sweep(long nowNanos) {
    shareQueues.removeIf(queue -> !queue.ruled && queue.isAsNew(nowNanos));
    int largest = shareQueues.size();
    for (ActiveRule rule : rules) {
      rule.queues.removeIf(queue -> queue.isAsNew(nowNanos));
      largest = Math.max(largest, rule.queues.size());
    }
    sweepAtSize = 2 * largest + SWEEP_SLACK;
  }

  private void insert(TbfQueue queue, Request head, long nowNanos) {
    if (queue.ruled) {
      joinLine(queue, queue.deadlineNanos(head, nowNanos), tieBreak(queue, head), nowNanos);
    } else {
      fallbackByArrival.insert(queue, head.sequence(), 0);
    }
  }

  private void joinLine(TbfQueue queue, long deadlineNanos, long tieBreak, long nowNanos) {
    if (deadlineNanos > nowNanos || !ready.append(queue, deadlineNanos, tieBreak)) {
      byDeadline.insert(queue, deadlineNanos, tieBreak);
    }
  }

  private void leaveLine(TbfQueue queue) {
    if (queue.ready) {
      ready.remove(queue);
    } else {
      byDeadline.remove(queue);
    }
  }

  /** The smaller rank first; among equals who came first. */
  private static long tieBreak(TbfQueue queue, Request head) {
    return ((long) queue.rank << SEQUENCE_BITS) | (head.sequence() & ((1L << SEQUENCE_BITS) - 1));
  }

  @Override
  public Dispatch next(long nowNanos) {
    TbfQueue unruled = fallbackByArrival.peek();
    TbfQueue ruled = firstWithTokens(nowNanos);
    boolean freeFirst = unruled != null && ruled != null && !lastWasFree && isFree(unruled);
    if (ruled != null && !freeFirst) {
      lastWasFree = false;
      Request request = serve(ruled);
      ruled.charge(request, nowNanos);
      Request head = ruled.peek();
      if (head == null) {
        leaveLine(ruled);
      } else {
        move(ruled, ruled.nextDeadlineNanos(head, nowNanos), tieBreak(ruled, head), nowNanos);
      }
      return request;
    }
    if (unruled != null) {
      lastWasFree = freeFirst;
      Request request = serve(unruled);
      Request head = unruled.peek();
      if (head == null) {
        fallbackByArrival.remove(unruled);
      } else {
        fallbackByArrival.update(unruled, head.sequence(), 0);
      }
      return request;
    }
    return byDeadline.isEmpty() ? Dispatch.EMPTY : notBefore(byDeadline.minKey());
  }

  /**
   * Whether what waits there costs nothing. Nobody has less when it is served, and a job that asks
   * only for such things is never given a share to be served by.
   */
  private boolean isFree(TbfQueue unruled) {
    Request head = unruled.peek();
    return head != null && shareUnit.price(head.operations(), head.bytes()) == 0;
  }

  private @Nullable TbfQueue firstWithTokens(long nowNanos) {
    TbfQueue first = ready.first();
    if (byDeadline.isEmpty() || byDeadline.minKey() > nowNanos) {
      return first;
    }
    return first == null || first.isAfter(byDeadline.minKey(), byDeadline.minTieBreak())
        ? byDeadline.peek()
        : first;
  }

  /** Gives a queue that is in line another place there. */
  private void move(TbfQueue queue, long deadlineNanos, long tieBreak, long nowNanos) {
    if (!queue.ready && deadlineNanos > nowNanos) {
      byDeadline.update(queue, deadlineNanos, tieBreak);
    } else {
      leaveLine(queue);
      joinLine(queue, deadlineNanos, tieBreak, nowNanos);
    }
  }

  private Request serve(TbfQueue queue) {
    Request request = queue.poll();
    if (request == null) {
      throw new IllegalStateException("a queue without requests is in line: " + queue.job());
    }
    queued--;
    return request;
  }

  /** The same answer for the same deadline: who asks in vain makes no garbage. */
  private Dispatch notBefore(long nanos) {
    if (lastWait.nanos() != nanos) {
      lastWait = new Dispatch.NotBefore(nanos);
    }
    return lastWait;
  }

  @Override
  public void complete(Request request, long actualOperations, long actualBytes, long nowNanos) {
    if (request.hasCost(actualOperations, actualBytes)) {
      return;
    }
    request.requireCost(actualOperations, actualBytes);
    TbfQueue queue = queueOf(request);
    if (queue != null) {
      queue.correct(
          request,
          Math.min(actualOperations, Request.COST_MAX),
          Math.min(actualBytes, TokenBucket.TOKENS_MAX),
          nowNanos);
      reorder(queue, nowNanos);
    }
  }

  /** The queue that a request was charged to; null when nothing is remembered of it. */
  private @Nullable TbfQueue queueOf(Request request) {
    return queuesOf(ruleFor(request)).get(request);
  }

  /**
   * Lets a request that {@link #next} just handed out keep the room of its tokens: they count as
   * being in the bucket until {@link #free} or {@link #putBack}.
   */
  void hold(Request request, long nowNanos) {
    TbfQueue queue = queueOf(request);
    if (queue != null) {
      queue.hold(request);
      reorder(queue, nowNanos);
    }
  }

  /** A request that holds its tokens is served now. */
  void free(Request request, long nowNanos) {
    TbfQueue queue = queueOf(request);
    if (queue != null) {
      queue.free(request, nowNanos);
      reorder(queue, nowNanos);
    }
  }

  /** A request that holds its tokens is not served after all. */
  void putBack(Request request, long nowNanos) {
    TbfQueue queue = queueOf(request);
    if (queue != null) {
      queue.putBack(request, nowNanos);
      reorder(queue, nowNanos);
    }
  }

  /** Whether some request holds tokens. */
  boolean isAnyHeld() {
    boolean[] held = {false};
    for (ActiveRule rule : rules) {
      rule.queues.forEach(queue -> held[0] |= queue.isHeld());
    }
    return held[0];
  }

  /**
   * Puts a queue where it belongs after its limits or tokens changed. One that may be served and
   * already waits for its turn keeps its place in line.
   */
  private void reorder(TbfQueue queue, long nowNanos) {
    Request head = queue.peek();
    if (head != null && queue.ruled) {
      long before = queue.ready ? queue.readyNanos : byDeadline.key(queue);
      long deadline = queue.deadlineNanos(head, nowNanos);
      if (deadline == nowNanos) {
        deadline = Math.min(deadline, before);
      }
      long tieBreak = tieBreak(queue, head);
      if (!queue.ready || deadline != before || tieBreak != queue.readyTieBreak) {
        move(queue, deadline, tieBreak, nowNanos);
      }
    }
  }

  /**
   * Gives each listed job its share as the rate of its bucket, and its weight as its rank; jobs
   * that are not listed fall back to no limit. Buckets keep the tokens they have.
   */
  @Override
  public void reconfigure(Shares shares, long nowNanos) {
    generation++;
    for (int i = 0; i < shares.size(); i++) {
      JobId job = shares.job(i);
      TbfQueue queue = shareQueues.get(job);
      if (queue == null) {
        queue = newQueue(job, null, shareQueues, nowNanos);
      }
      queue.generation = generation;
      queue.rank = RANK_SHARES_LAST - (int) Math.min(shares.weight(i), RANK_SHARES_SPAN);
      queue.limit(new TbfLimit(shareUnit, shares.rate(i), shareDepthTokens), null, nowNanos);
      setRuled(queue, true, nowNanos);
      reorder(queue, nowNanos);
    }
    shareQueues.forEach(queue -> {
      if (queue.generation != generation) {
        setRuled(queue, false, nowNanos);
      }
    });
  }

  private void setRuled(TbfQueue queue, boolean ruled, long nowNanos) {
    if (queue.ruled == ruled) {
      return;
    }
    Request head = queue.peek();
    if (head != null) {
      if (queue.ruled) {
        leaveLine(queue);
      } else {
        fallbackByArrival.remove(queue);
      }
    }
    queue.ruled = ruled;
    if (head != null) {
      insert(queue, head, nowNanos);
    }
  }

  /**
   * Starts a rule, before the one named or, with null, as the last. It holds for requests that
   * already wait.
   */
  public void start(TbfRule rule, @Nullable String before, long nowNanos) {
    if (find(rule.name()) != null) {
      throw new IllegalArgumentException("there is a rule \"" + rule.name() + "\" already");
    }
    if (rules.size() >= RULES_MAX) {
      throw new IllegalArgumentException("there are " + RULES_MAX + " rules already");
    }
    int index = before == null ? rules.size() : rules.indexOf(require(before));
    rules.add(index, new ActiveRule(rule));
    rulesChanged(nowNanos);
  }

  /** Sets other limits for a rule. Buckets that count the same keep their tokens. */
  public void change(String name, TbfLimit limit, @Nullable TbfLimit secondLimit, long nowNanos) {
    ActiveRule active = require(name);
    active.rule = new TbfRule(name, active.rule.match(), limit, secondLimit);
    active.queues.forEach(queue -> {
      queue.limit(limit, secondLimit, nowNanos);
      reorder(queue, nowNanos);
    });
  }

  /** Stops a rule; its requests come under the next one that matches, their share, or no limit. */
  public void stop(String name, long nowNanos) {
    ActiveRule stopped = require(name);
    List<Request> waiting = withdrawAll();
    rules.remove(stopped);
    rulesChanged(waiting, nowNanos);
  }

  /**
   * Puts these rules in force instead of those that were, for requests that already wait too. A
   * rule whose name was there before goes on with the buckets it had; those that count the same
   * keep their tokens.
   */
  public void replace(List<TbfRule> replacement, long nowNanos) {
    requireSound(replacement);
    List<Request> waiting = withdrawAll();
    Map<String, ActiveRule> before = new HashMap<>();
    rules.forEach(active -> before.put(active.rule.name(), active));
    rules.clear();
    for (TbfRule rule : replacement) {
      ActiveRule active = before.get(rule.name());
      if (active == null) {
        rules.add(new ActiveRule(rule));
      } else {
        active.rule = rule;
        active.queues.forEach(queue -> queue.limit(rule.limit(), rule.secondLimit(), nowNanos));
        rules.add(active);
      }
    }
    rulesChanged(waiting, nowNanos);
  }

  /** Throws {@link IllegalArgumentException} for rules that {@link #replace} refuses. */
  static void requireSound(List<TbfRule> rules) {
    if (rules.size() > RULES_MAX) {
      throw new IllegalArgumentException(
          "expected at most " + RULES_MAX + " rules, not " + rules.size());
    }
    Set<String> names = new HashSet<>();
    for (TbfRule rule : rules) {
      if (!names.add(rule.name())) {
        throw new IllegalArgumentException("two rules are called \"" + rule.name() + "\"");
      }
    }
  }

  /** The rules in force, first match first. */
  public List<TbfRule> rules() {
    return rules.stream().map(active -> active.rule).toList();
  }

  /** What each rule does that has matched requests of this job, first match first. */
  List<RuleEffect> effectsOn(JobId job, long nowNanos) {
    List<RuleEffect> effects = new ArrayList<>();
    for (ActiveRule active : rules) {
      TbfQueue queue = active.queues.get(job);
      if (queue != null) {
        Request head = queue.peek();
        long deadline = head == null ? nowNanos : queue.deadlineNanos(head, nowNanos);
        effects.add(
            new RuleEffect(
                active.rule,
                queue.size(),
                deadline == Long.MAX_VALUE ? Long.MAX_VALUE : deadline - nowNanos,
                queue.savedTokens(nowNanos)));
      }
    }
    return effects;
  }

  private @Nullable ActiveRule find(String name) {
    for (ActiveRule active : rules) {
      if (active.rule.name().equals(name)) {
        return active;
      }
    }
    return null;
  }

  private ActiveRule require(String name) {
    ActiveRule active = find(name);
    if (active == null) {
      throw new IllegalArgumentException("there is no rule \"" + name + "\"");
    }
    return active;
  }

  private void rulesChanged(long nowNanos) {
    rulesChanged(withdrawAll(), nowNanos);
  }

  /** Matches every waiting request anew, in the order of arrival. */
  private void rulesChanged(List<Request> waiting, long nowNanos) {
    ruleIndex =
        rules.isEmpty() ? null : RuleIndex.of(List.copyOf(rules), active -> active.rule.match());
    for (int i = 0; i < rules.size(); i++) {
      int rank = i;
      rules.get(i).queues.forEach(queue -> queue.rank = rank);
    }
    for (Request request : waiting) {
      place(request, ruleFor(request), request.sequence(), nowNanos);
    }
  }

  @Override
  public List<Request> withdrawAll(long nowNanos) {
    List<Request> waiting = withdrawAll();
    queued = 0;
    return waiting;
  }

  private List<Request> withdrawAll() {
    List<Request> waiting = new ArrayList<>(queued);
    for (TbfQueue queue = ready.first(); queue != null; queue = ready.first()) {
      pollAll(queue, waiting);
      ready.remove(queue);
    }
    for (IndexedHeap<TbfQueue> heap : List.of(byDeadline, fallbackByArrival)) {
      for (TbfQueue queue = heap.peek(); queue != null; queue = heap.peek()) {
        pollAll(queue, waiting);
        heap.remove(queue);
      }
    }
    waiting.sort(Comparator.comparingLong(Request::sequence));
    return waiting;
  }

  private static void pollAll(TbfQueue queue, List<Request> waiting) {
    for (Request r = queue.poll(); r != null; r = queue.poll()) {
      waiting.add(r);
    }
  }

  @Override
  public List<Request> withdrawIf(Predicate<? super Request> gone, long nowNanos) {
    List<Request> withdrawn = new ArrayList<>();
    shareQueues.forEach(queue -> withdrawIf(gone, queue, withdrawn, nowNanos));
    for (ActiveRule rule : rules) {
      rule.queues.forEach(queue -> withdrawIf(gone, queue, withdrawn, nowNanos));
    }
    queued -= withdrawn.size();
    withdrawn.sort(Comparator.comparingLong(Request::sequence));
    return withdrawn;
  }

  private void withdrawIf(
      Predicate<? super Request> gone, TbfQueue queue, List<Request> withdrawn, long nowNanos) {
    if (!queue.moveIf(gone, withdrawn)) {
      return;
    }
    Request head = queue.peek();
    if (head == null && queue.ruled) {
      leaveLine(queue);
    } else if (head == null) {
      fallbackByArrival.remove(queue);
    } else if (queue.ruled) {
      reorder(queue, nowNanos);
    } else {
      fallbackByArrival.update(queue, head.sequence(), 0);
    }
  }

  @Override
  public int queued() {
    return queued;
  }

  /** How many queues it keeps, for jobs that wait, are limited, or have used tokens lately. */
  int remembered() {
    return shareQueues.size() + rules.stream().mapToInt(rule -> rule.queues.size()).sum();
  }

  @Override
  public void checkInvariants(long nowNanos) {
    ready.checkInvariants();
    byDeadline.checkInvariants();
    fallbackByArrival.checkInvariants();
    int waiting = checkQueues(shareQueues, nowNanos);
    for (ActiveRule rule : rules) {
      waiting += checkQueues(rule.queues, nowNanos);
    }
    if (waiting != queued) {
      throw new IllegalStateException(waiting + " requests wait, and " + queued + " are counted");
    }
    for (int i = 0; i < byDeadline.size(); i++) {
      if (!byDeadline.get(i).ruled) {
        throw new IllegalStateException(byDeadline.get(i).job() + " has no rule, and a deadline");
      }
    }
    for (int i = 0; i < fallbackByArrival.size(); i++) {
      if (fallbackByArrival.get(i).ruled) {
        throw new IllegalStateException(fallbackByArrival.get(i).job() + " has a rule, and none");
      }
    }
  }

  private static int checkQueues(JobTable<TbfQueue> queues, long nowNanos) {
    int[] waiting = {0};
    queues.forEach(queue -> {
      queue.checkInvariants();
      if (queue.isInLine() == queue.isEmpty()) {
        throw new IllegalStateException(
            queue.job()
                + " has "
                + queue.size()
                + " requests and is "
                + (queue.isInLine() ? "" : "not ")
                + "in line at "
                + nowNanos);
      }
      waiting[0] += queue.size();
    });
    return waiting[0];
  }
}
