package dev.sluice.core.schedule.fair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Pace;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who is first of those that stand alike, and when all stand alike again. */
class AmongEqualsTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;

  /** So many that a heap does not keep their order by itself. */
  private static final List<String> DOZEN =
      List.of("e", "c", "a", "l", "d", "b", "k", "f", "j", "g", "i", "h");

  private static FairScheduler flat() {
    return new FairScheduler(TokenUnit.OPERATIONS, ShareTree.flat());
  }

  /** A request of a job that has a user of its own. */
  private static Request request(String job) {
    return request(job, "user of " + job, 1);
  }

  private static Request request(String job, String user, long operations) {
    Flow flow = new Flow(JobId.of(job), user, "group", ClientAddress.LOCAL, "/export", "t");
    return new Request(flow, Operation.READ, operations, 0);
  }

  private static String next(FairScheduler scheduler, long nowNanos) {
    Request request = (Request) scheduler.next(nowNanos);
    scheduler.checkInvariants(nowNanos);
    return request.job().toString();
  }

  /** Gives a job that is not among the dozen a reserve, so that somebody looks for terms. */
  private static void setTermsForSomebody(FairScheduler scheduler) {
    scheduler.reconfigure(
        Shares.ofColumns(
                new JobId[] {JobId.of("z")}, new long[] {Shares.UNLIMITED}, new long[] {1}, SECOND)
            .withReserves(new long[] {1}),
        0);
    scheduler.enqueue(request("z"), 0);
    assertThat(next(scheduler, 0)).isEqualTo("z");
  }

  private static void setLimitForAll(FairScheduler scheduler, boolean reserved) {
    JobId[] jobs = DOZEN.stream().sorted().map(JobId::of).toArray(JobId[]::new);
    long[] limits = new long[jobs.length];
    Arrays.fill(limits, 1_000);
    long[] weights = new long[jobs.length];
    Arrays.fill(weights, 1);
    long[] reserves = new long[jobs.length];
    Arrays.fill(reserves, reserved ? 100 : 0);
    scheduler.reconfigure(
        Shares.ofColumns(jobs, limits, weights, SECOND).withReserves(reserves), 0);
  }

  @Test
  void whoCameFirstIsFirstAndSoOnInTurn() {
    for (ShareTree tree : List.of(ShareTree.flat(), ShareTree.byUser())) {
      FairScheduler plain = new FairScheduler(TokenUnit.OPERATIONS, tree);
      checkTurns(plain);
      FairScheduler besideTerms = new FairScheduler(TokenUnit.OPERATIONS, tree);
      setTermsForSomebody(besideTerms);
      checkTurns(besideTerms);
      FairScheduler limited = new FairScheduler(TokenUnit.OPERATIONS, tree);
      setLimitForAll(limited, false);
      checkTurns(limited);
      FairScheduler reserved = new FairScheduler(TokenUnit.OPERATIONS, tree);
      setLimitForAll(reserved, true);
      checkTurns(reserved);
    }
  }

  /** Of each, one request more is there than is served, so that nobody leaves. */
  private static void checkTurns(FairScheduler scheduler) {
    for (int i = 0; i < 4; i++) {
      DOZEN.forEach(job -> scheduler.enqueue(request(job), 0));
    }
    for (int round = 0; round < 3; round++) {
      for (String job : DOZEN) {
        // Late enough for each to be due by reserve in the second round.
        assertThat(next(scheduler, round * SECOND)).as("round %d", round).isEqualTo(job);
      }
    }
  }

  @Test
  void whenTheLastRequestIsWithdrawnAllBeginAnew() {
    FairScheduler scheduler = flat();
    scheduler.enqueue(request("a"), 0);
    scheduler.enqueue(request("a"), 0);
    assertThat(next(scheduler, 0)).isEqualTo("a");
    assertThat(scheduler.withdrawIf(_ -> true, 0)).hasSize(1);
    scheduler.enqueue(request("a"), 0);
    scheduler.enqueue(request("b"), 0);
    assertThat(next(scheduler, 0)).isEqualTo("a");
  }

  /** Job a owes a request in its group, until the last that competes there leaves it. */
  @Test
  void whenTheLastLeavesAGroupAllBeginAnewThere() {
    for (boolean byPlace : new boolean[] {true, false}) {
      FairScheduler scheduler = new FairScheduler(TokenUnit.OPERATIONS, ShareTree.byUser());
      scheduler.enqueue(request("a", "x", 1), 0);
      scheduler.enqueue(request("c", "x", 1), 0);
      assertThat(next(scheduler, 0)).isEqualTo("a");
      if (byPlace) {
        scheduler.place(request("c", "y", 1).flow(), 0);
      } else {
        scheduler.regroup(
            new ShareTree(
                flow -> List.of(flow.job().equals(JobId.of("c")) ? "y" : flow.user()), Map.of()),
            0);
      }
      scheduler.checkInvariants(0);
      assertThat(next(scheduler, 0)).isEqualTo("c");
      scheduler.enqueue(request("a", "x", 1), 0);
      scheduler.enqueue(request("b", "x", 1), 0);
      assertThat(next(scheduler, 0)).as("by place: %s", byPlace).isEqualTo("a");
    }
  }

  @Test
  void virtualTimeIsShiftedBackWhenAllIsWithdrawn() {
    FairScheduler scheduler = new FairScheduler(new TokenUnit(1 << 10, 0), ShareTree.byUser());
    for (int i = 0; i < 4; i++) {
      scheduler.enqueue(request("a", "x", Request.COST_MAX), 0);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(next(scheduler, 0)).isEqualTo("a");
    }
    assertThat(scheduler.withdrawAll(0)).hasSize(1);
    scheduler.checkInvariants(0);
  }

  @Test
  void nobodyIsForgottenWhereNobodyIsLookedAt() {
    FairScheduler scheduler = new FairScheduler(TokenUnit.OPERATIONS, ShareTree.flat(), 0);
    for (String job : DOZEN) {
      scheduler.enqueue(request(job), 0);
      assertThat(next(scheduler, 0)).isEqualTo(job);
    }
    assertThat(scheduler.remembered()).isEqualTo(DOZEN.size());
  }

  /** A target on which there is time for everything. */
  private static final class Ample implements Pace {
    @Override
    public boolean isShort() {
      return true;
    }

    @Override
    public long spareNanos(long nowNanos) {
      return SECOND;
    }

    @Override
    public long nanosFor(long tokens) {
      return SECOND;
    }
  }

  @Test
  void whoMayComeBackIsRememberedForASecondAndThenWaitedForNoMore() {
    FairScheduler scheduler = flat();
    long now = 0;
    for (int i = 0; i < 5; i++) {
      scheduler.enqueue(request("a"), now);
      assertThat(scheduler.next(new Ample(), now)).isInstanceOf(Request.class);
      now += MILLISECOND;
    }
    now += SECOND / 2;
    for (int i = 0; i < 3; i++) {
      scheduler.enqueue(request("b"), now);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(next(scheduler, now)).as("so that a owes nothing any more").isEqualTo("b");
    }
    scheduler.enqueue(request("c"), now);
    assertThat(next(scheduler, now)).isEqualTo("c");
    assertThat(scheduler.remembered()).as("a may come back").isEqualTo(3);
    now += SECOND;
    for (String job : List.of("d", "e", "f")) {
      scheduler.enqueue(request(job), now);
      assertThat(next(scheduler, now)).isEqualTo(job);
    }
    scheduler.enqueue(request("f"), now);
    scheduler.enqueue(request("g"), now);
    assertThat(next(scheduler, now)).as("all begin anew, because nobody is away").isEqualTo("f");
  }

  /** Who comes then starts with the others, not before them. */
  @Test
  void virtualTimeMovesWithTheFirstThoughItIsServedByReserve() {
    for (boolean inGroups : new boolean[] {false, true}) {
      Group root = new Group("", null, 1);
      Share first = competing(root, "a", inGroups);
      Share second = competing(root, "b", inGroups);
      Leaf third = new Leaf(request("c").flow(), root, 1);
      root.serve(first, 1, false, 2);
      root.serve(second, 1, false, 3);
      assertThat(root.startTag(third)).isZero();
      root.serveByReserve(second, 1, 100, false, 4);
      assertThat(root.startTag(third)).as("out of turn").isZero();
      root.serveByReserve(first, 1, 100, false, 5);
      assertThat(root.startTag(third)).isEqualTo(1L << Share.TOKEN_SHIFT);
    }
  }

  @Test
  void whoIsServedItsLastByReserveCompetesNoMore() {
    for (boolean othersComeBack : new boolean[] {false, true}) {
      Group root = new Group("", null, 1);
      Leaf first = (Leaf) competing(root, "a", false);
      Leaf second = new Leaf(request("b").flow(), root, 1);
      first.queue.poll();
      root.serveByReserve(first, 1, 100, othersComeBack, 1);
      assertThat(first.isQueued()).isFalse();
      assertThat(root.startTag(second))
          .as("all begin anew, unless others are about to come back")
          .isEqualTo(othersComeBack ? 0 : 1L << Share.TOKEN_SHIFT);
    }
  }

  @Test
  void whoIsServedByReserveIsBehindThoseThatStandAlike() {
    FairScheduler scheduler = flat();
    scheduler.reconfigure(
        Shares.ofColumns(
                new JobId[] {JobId.of("a")}, new long[] {Shares.UNLIMITED}, new long[] {1}, SECOND)
            .withReserves(new long[] {1}),
        0);
    for (int i = 0; i < 3; i++) {
      scheduler.enqueue(request("b"), 0);
      scheduler.enqueue(request("a"), 0);
    }
    assertThat(next(scheduler, SECOND)).as("by reserve").isEqualTo("a");
    assertThat(next(scheduler, SECOND)).as("has had less").isEqualTo("b");
    assertThat(next(scheduler, SECOND)).as("has waited longer").isEqualTo("a");
    assertThat(next(scheduler, SECOND)).isEqualTo("b");
  }

  @Test
  void virtualTimeIsShiftedBackWhereAllIsServedByReserve() {
    ShareOrder order = new ShareOrder();
    Leaf leaf = new Leaf(request("a").flow(), order.root(), 1);
    order.add(leaf, order.root());
    for (int i = 0; i < 4; i++) {
      leaf.queue.append(request("a"), i);
      order.compete(leaf);
      leaf.queue.poll();
      order.serveByReserve(leaf, FairScheduler.PRICE_MAX, FairScheduler.PRICE_MAX, false);
      order.checkInvariants();
    }
  }

  /** Shifting them back is a walk over all shares, and nothing to be done at every request. */
  @Test
  void tagsAreNotShiftedBackBeforeTheyAreFar() {
    ShareOrder order = new ShareOrder();
    Leaf first = new Leaf(request("a").flow(), order.root(), 1);
    Leaf second = new Leaf(request("b").flow(), order.root(), 1);
    for (Leaf leaf : List.of(first, second)) {
      order.add(leaf, order.root());
      leaf.queue.append(request("a"), 0);
      leaf.queue.append(request("a"), 0);
      leaf.queue.append(request("a"), 0);
      order.compete(leaf);
    }
    for (Leaf leaf : List.of(first, second, first, second)) {
      assertThat(order.first()).isSameAs(leaf);
      leaf.queue.poll();
      order.serve(leaf, 1, false);
    }
    assertThat(first.tag).isEqualTo(2L << Share.TOKEN_SHIFT);
    assertThat(second.tag).isEqualTo(2L << Share.TOKEN_SHIFT);
    order.checkInvariants();
  }

  /** A job that has something queued, or a group that has such a job. */
  private static Share competing(Group root, String name, boolean inGroup) {
    Group group = inGroup ? new Group(name, root, 1) : root;
    Leaf leaf = new Leaf(request(name).flow(), group, 1);
    leaf.queue.append(request(name), 0);
    group.admit(leaf, 0);
    if (inGroup) {
      root.admit(group, 0);
    }
    return inGroup ? group : leaf;
  }

  @Test
  void whatIsOwedStaysToTheLastPartWhenTagsAreShiftedBack() {
    Group root = new Group("", null, 1);
    Leaf leaf = new Leaf(request("a").flow(), root, 3);
    root.oweAtLeast(leaf, 10);
    root.rebase(List.of(leaf));
    assertThat(root.release(leaf)).isEqualTo(10);
  }

  @Test
  void theyHaveNames() {
    Group root = new Group("", null, 1);
    Group group = new Group("physics", root, 1);
    assertThat(root).hasToString("the root");
    assertThat(group).hasToString("group physics");
    assertThat(new Leaf(request("a").flow(), group, 1)).hasToString("job a");
  }
}
