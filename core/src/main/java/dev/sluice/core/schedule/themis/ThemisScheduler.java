package dev.sluice.core.schedule.themis;

import dev.sluice.core.model.Flow;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.QueuePerJob;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.ShareTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * ThemisIO's statistical tokens (Huang and others, 2023): which job is served next is drawn, each
 * as likely as its share. A share is a part of a part: of the groups at each level of a tree, and
 * of the jobs in the last of them, only those with something queued take part, by their weights. So
 * a composite policy such as group, then user, then size costs one draw for each level, and what
 * somebody does not use falls to those beside it.
 *
 * <p>Theorem. While the same jobs wait, of n requests a job whose share is p is served {@code n·p},
 * up to a few times {@code sqrt(n·p·(1-p))}. The target is never idle while something is queued.
 *
 * <p>Draws count requests, not bytes: whose requests are larger moves more. The numbers follow from
 * how many were drawn before, so that the same requests are served in the same order every time.
 *
 * <p>Of a share it honours the weight, over the tree. Limits and reserves change nothing.
 */
public final class ThemisScheduler extends QueuePerJob<TicketQueue> {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final Map<List<String>, Branch> branches = new HashMap<>();
  private ShareTree tree;
  private Branch root = new Branch(List.of(), null);
  private long draws;

  /**
   * @param tree who divides with whom
   */
  public ThemisScheduler(ShareTree tree) {
    this.tree = tree;
    branches.put(root.path, root);
  }

  @Override
  public void enqueue(Request request, long nowNanos) {
    TicketQueue queue = queue(request, nowNanos);
    if (append(queue, request)) {
      queue.branch.enter(queue.ticket);
    }
  }

  @Override
  protected TicketQueue newQueue(Flow flow, int index, long nowNanos) {
    TicketQueue queue = new TicketQueue(flow, branch(tree.path(flow)));
    configure(queue, index, nowNanos);
    return queue;
  }

  @Override
  protected void configure(TicketQueue queue, int index, long nowNanos) {
    long weight = index < 0 ? 1 : Math.min(shares().weight(index), ShareTree.WEIGHT_MAX);
    queue.branch.waiting.reweigh(queue.ticket, weight);
  }

  private Branch branch(List<String> path) {
    Branch known = branches.get(path);
    if (known != null) {
      return known;
    }
    Branch parent = branch(path.subList(0, path.size() - 1));
    Branch branch = new Branch(List.copyOf(path), parent);
    parent.waiting.reweigh(branch, tree.weight(branch.path));
    branches.put(branch.path, branch);
    return branch;
  }

  @Override
  public Dispatch next(long nowNanos) {
    if (queued() == 0) {
      return Dispatch.EMPTY;
    }
    Lottery.Ticket drawn = root;
    while (drawn instanceof Branch branch) {
      drawn = branch.waiting.draw(below(branch.waiting.weight()));
    }
    TicketQueue queue = ((TicketQueue.JobTicket) drawn).queue;
    Request request = take(queue);
    leaveIfEmpty(queue);
    return request;
  }

  private static void leaveIfEmpty(TicketQueue queue) {
    if (queue.isEmpty()) {
      queue.branch.leave(queue.ticket);
    }
  }

  /** The next number of a sequence that looks drawn: from 0 to below a bound. */
  private long below(long bound) {
    long mixed = ++draws * GOLDEN;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return Math.unsignedMultiplyHigh(mixed ^ (mixed >>> 31), bound);
  }

  /** A draw is paid for when it is made, whatever the request turns out to cost. */
  @Override
  public void complete(Request request, long actualOperations, long actualBytes, long nowNanos) {
    request.requireCost(actualOperations, actualBytes);
  }

  /** Forgets groups that nobody hangs in any more. */
  @Override
  protected void reconfigured(long nowNanos) {
    Map<List<String>, Branch> needed = new HashMap<>();
    needed.put(root.path, root);
    queues.forEach(queue -> {
      Branch branch = queue.branch;
      while (branch != null && needed.put(branch.path, branch) == null) {
        branch = branch.parent;
      }
    });
    branches.keySet().retainAll(needed.keySet());
  }

  @Override
  public void regroup(ShareTree other, long nowNanos) {
    tree = other;
    root = new Branch(List.of(), null);
    branches.clear();
    branches.put(root.path, root);
    queues.forEach(this::hang);
  }

  @Override
  public void place(Flow flow, long nowNanos) {
    TicketQueue queue = queues.get(flow.job());
    if (queue != null) {
      queue.flow = flow;
      hang(queue);
    }
  }

  private void hang(TicketQueue queue) {
    boolean waits = queue.ticket.isIn();
    if (waits) {
      queue.branch.leave(queue.ticket);
    }
    queue.branch = branch(tree.path(queue.flow));
    if (waits) {
      queue.branch.enter(queue.ticket);
    }
  }

  @Override
  protected void withdrawn(TicketQueue queue, List<Request> requests, long nowNanos) {
    leaveIfEmpty(queue);
  }

  @Override
  public void checkInvariants(long nowNanos) {
    int jobs = checkQueued();
    queues.forEach(queue -> {
      if (queue.ticket.isIn() == queue.isEmpty()) {
        throw new IllegalStateException(queue + " has " + queue.size() + " and is misplaced");
      }
    });
    int waiting = 0;
    for (Branch branch : branches.values()) {
      branch.waiting.checkInvariants();
      waiting += branch.waiting.size() - (branch.isIn() ? 1 : 0);
    }
    if (jobs != waiting) {
      throw new IllegalStateException(jobs + " jobs wait; the books say " + waiting);
    }
  }
}
