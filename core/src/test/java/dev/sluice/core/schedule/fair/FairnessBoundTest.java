package dev.sluice.core.schedule.fair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The two theorems of start-time fair queueing, at every level of random trees. */
class FairnessBoundTest {
  /**
   * For two members of one group that have something queued throughout an interval,
   *
   * <pre>|W1/w1 - W2/w2| &lt;= p1/w1 + p2/w2</pre>
   *
   * <p>and between two services of a member, the first of which cost p, another that has something
   * queued throughout is served {@code W2 <= p × w2/w1 + p2}. Multiplied by both weights all terms
   * are whole, and the weights here are so small that what tags cannot resolve is less than one.
   */
  @Test
  void membersOfAGroupDifferByOneLargestRequestEachOverAnyInterval() {
    SeededCases.forAll(EnduranceScale.of(3_000, 12_000), random -> new Tree(random).run());
  }

  /** What the scheduler should know of a job or a group, and what it was seen to do. */
  private static final class Node {
    final int serial;
    final List<Node> members = new ArrayList<>();
    final @Nullable Node group;
    long weight;
    int queued;
    long largest;

    /** By serial of the other: how this one's service differed since both had something queued. */
    final Map<Integer, Difference> differences = new HashMap<>();

    Node(int serial, @Nullable Node group, long weight) {
      this.serial = serial;
      this.group = group;
      this.weight = weight;
      if (group != null) {
        group.members.add(this);
      }
    }

    /** Itself among them. */
    List<Node> siblings() {
      return group == null ? List.of() : group.members;
    }
  }

  /** {@code W1 × w2 - W2 × w1}; over all intervals it differs most by highest - lowest. */
  private static final class Difference {
    long now;
    long highest;
    long lowest;

    /** What the other was served, times w1, since this one was last served, at price × w2. */
    long otherSince;

    long lastPrice = -1;
  }

  private static final class Tree {
    final RandomGenerator random;
    final Node root = new Node(0, null, 1);
    final List<Node> jobs = new ArrayList<>();

    /** By job: the path of its group. */
    final List<List<String>> paths = new ArrayList<>();

    final FairScheduler scheduler;
    int serials = 1;
    int queued;

    Tree(RandomGenerator random) {
      this.random = random;
      Map<List<String>, Long> weights = new HashMap<>();
      grow(root, List.of(), 1 + random.nextInt(3), weights);
      scheduler =
          new FairScheduler(
              TokenUnit.BYTES, new ShareTree(flow -> paths.get(jobNumber(flow.job())), weights));
    }

    void grow(Node group, List<String> path, int depth, Map<List<String>, Long> weights) {
      int members = 1 + random.nextInt(depth == 1 ? 4 : 3);
      for (int i = 0; i < members; i++) {
        boolean isJob = depth == 1 || random.nextInt(3) == 0;
        Node member = new Node(serials++, group, isJob ? 1 : random.nextLong(1, 51));
        if (isJob) {
          paths.add(path);
          jobs.add(member);
        } else {
          List<String> memberPath = new ArrayList<>(path);
          memberPath.add("group" + i);
          weights.put(memberPath, member.weight);
          grow(member, memberPath, depth - 1, weights);
        }
      }
    }

    void run() {
      int steps = random.nextInt(200);
      int full = random.nextInt(4, 8);
      for (int step = 0; step < steps; step++) {
        int kind = random.nextInt(40);
        if (kind == 0) {
          reweigh();
        } else if (kind % 10 < full) {
          enqueue(random.nextInt(jobs.size()), 1 + random.nextInt(4));
        } else {
          serve();
        }
      }
      while (queued > 0) {
        serve();
      }
    }

    void enqueue(int job, int count) {
      for (int i = 0; i < count; i++) {
        long bytes = random.nextInt(3) == 0 ? 0 : 1 + random.nextLong(1L << random.nextInt(1, 20));
        Flow flow = Flow.of(JobId.of("job%02d".formatted(job)), "target");
        scheduler.enqueue(new Request(flow, Operation.READ, 1, bytes), 0);
        queued++;
        for (Node node = jobs.get(job); node != null; node = node.group) {
          node.queued++;
          node.largest = Math.max(node.largest, Math.max(1, bytes));
        }
      }
    }

    /** The new weights hold from now on, and so does the bound with them. */
    void reweigh() {
      JobId[] ids = new JobId[jobs.size()];
      long[] weights = new long[ids.length];
      long[] tokens = new long[ids.length];
      Arrays.fill(tokens, Shares.UNLIMITED);
      for (int job = 0; job < ids.length; job++) {
        ids[job] = JobId.of("job%02d".formatted(job));
        weights[job] = random.nextLong(1, 51);
        Node node = jobs.get(job);
        node.weight = weights[job];
        forgetDifferences(node);
      }
      scheduler.reconfigure(Shares.ofColumns(ids, tokens, weights, 1), 0);
    }

    void serve() {
      if (queued == 0) {
        return;
      }
      Request request = (Request) scheduler.next(0);
      queued--;
      long price = Math.max(1, request.bytes());
      Node served = jobs.get(jobNumber(request.job()));
      for (Node group = served.group; group != null; group = group.group) {
        for (Node other : served.siblings()) {
          if (other != served && other.queued > 0) {
            count(served, other, price);
          }
        }
        served.queued--;
        if (served.queued == 0) {
          forgetDifferences(served);
        }
        served = group;
      }
      root.queued--;
    }

    void count(Node served, Node other, long price) {
      Difference mine = served.differences.computeIfAbsent(other.serial, _ -> new Difference());
      Difference theirs = other.differences.computeIfAbsent(served.serial, _ -> new Difference());
      move(mine, price * other.weight);
      move(theirs, -price * other.weight);
      long bound = served.largest * other.weight + other.largest * served.weight;
      assertThat(mine.highest - mine.lowest)
          .as("weights %s and %s", served.weight, other.weight)
          .isLessThanOrEqualTo(bound);
      mine.otherSince = 0;
      mine.lastPrice = price * other.weight;
      theirs.otherSince += price * other.weight;
      if (theirs.lastPrice >= 0) {
        assertThat(theirs.otherSince)
            .as("served to weight %s while weight %s waited", served.weight, other.weight)
            .isLessThanOrEqualTo(theirs.lastPrice + served.largest * other.weight);
      }
    }

    static void move(Difference difference, long by) {
      difference.now += by;
      difference.highest = Math.max(difference.highest, difference.now);
      difference.lowest = Math.min(difference.lowest, difference.now);
    }

    static void forgetDifferences(Node node) {
      node.differences.clear();
      for (Node other : node.siblings()) {
        other.differences.remove(node.serial);
      }
    }

    static int jobNumber(JobId job) {
      return Integer.parseInt(job.toString().substring(3));
    }
  }
}
