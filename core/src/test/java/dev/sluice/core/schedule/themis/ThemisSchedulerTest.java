package dev.sluice.core.schedule.themis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.SchedulerContract;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThemisSchedulerTest extends SchedulerContract {
  private static final int REQUESTS = 20_000;

  @Override
  protected RequestScheduler newScheduler(long nowNanos) {
    return new ThemisScheduler(ShareTree.flat());
  }

  /** Everybody always has two requests queued; the part of all that each is served. */
  private static Map<String, Double> parts(ThemisScheduler scheduler, String... jobs) {
    for (String job : jobs) {
      enqueue(scheduler, job);
      enqueue(scheduler, job);
    }
    Map<String, Double> parts = new HashMap<>();
    for (int i = 0; i < REQUESTS; i++) {
      Request served = (Request) scheduler.next(0);
      parts.merge(served.job().toString(), 1.0 / REQUESTS, Double::sum);
      enqueue(scheduler, served.job().toString());
    }
    scheduler.checkInvariants(0);
    scheduler.withdrawAll(0);
    return parts;
  }

  private static void enqueue(ThemisScheduler scheduler, String job) {
    Flow flow = Flow.of(JobId.of(job), "t");
    scheduler.enqueue(new Request(flow, Operation.WRITE, 1, 4096), 0);
  }

  private static Shares weighing(String[] jobs, long... weights) {
    JobId[] ids = new JobId[jobs.length];
    long[] unlimited = new long[jobs.length];
    for (int i = 0; i < jobs.length; i++) {
      ids[i] = JobId.of(jobs[i]);
      unlimited[i] = Shares.UNLIMITED;
    }
    return Shares.ofColumns(ids, unlimited, weights, 1_000_000_000L);
  }

  @Test
  void jobsAreServedByTheirTickets() {
    ThemisScheduler scheduler = new ThemisScheduler(ShareTree.flat());
    scheduler.reconfigure(weighing(new String[] {"large", "small"}, 4, 1), 0);
    assertThat(parts(scheduler, "large", "small").get("large")).isCloseTo(0.8, within(0.02));
  }

  @Test
  void whoIsAloneHasAll() {
    ThemisScheduler scheduler = new ThemisScheduler(ShareTree.flat());
    scheduler.reconfigure(weighing(new String[] {"large", "small"}, 4, 1), 0);
    assertThat(parts(scheduler, "small").get("small")).isCloseTo(1.0, within(1e-9));
  }

  /** Group, then user, then size, as the paper puts policies together. */
  @Test
  void aShareIsAPartOfAPart() {
    Map<String, List<String>> hangs =
        Map.of(
            "a1", List.of("physics", "ann"),
            "a2", List.of("physics", "ann"),
            "b1", List.of("physics", "bob"),
            "c1", List.of("biology", "cyd"));
    ShareTree tree =
        new ShareTree(
            flow -> hangs.getOrDefault(flow.job().toString(), List.of()),
            Map.of(List.of("physics"), 3L));
    ThemisScheduler scheduler = new ThemisScheduler(ShareTree.flat());
    String[] jobs = {"a1", "a2", "b1", "c1"};
    scheduler.reconfigure(weighing(jobs, 3, 1, 7, 7), 0);
    scheduler.regroup(tree, 0);
    Map<String, Double> parts = parts(scheduler, jobs);
    assertThat(parts.get("a1")).isCloseTo(0.75 * 0.5 * 0.75, within(0.02));
    assertThat(parts.get("a2")).isCloseTo(0.75 * 0.5 * 0.25, within(0.02));
    assertThat(parts.get("b1")).isCloseTo(0.75 * 0.5, within(0.02));
    assertThat(parts.get("c1")).isCloseTo(0.25, within(0.02));
    // Where ann has nothing to do, her part falls to bob, beside her, and not to biology.
    assertThat(parts(scheduler, "b1", "c1").get("b1")).isCloseTo(0.75, within(0.02));
  }

  /** How many of so many draws are each job's, of queues that are long enough. */
  private static Map<String, Integer> drawn(ThemisScheduler scheduler, int draws) {
    Map<String, Integer> drawn = new HashMap<>();
    for (int i = 0; i < draws; i++) {
      Request served = (Request) scheduler.next(0);
      drawn.merge(served.job().toString(), 1, Integer::sum);
    }
    scheduler.checkInvariants(0);
    return drawn;
  }

  @Test
  void whoWaitsMeanwhileIsGroupedAnewAndMoved() {
    Map<String, List<String>> hangs = new HashMap<>();
    hangs.put("a", List.of("x"));
    hangs.put("b", List.of("x"));
    hangs.put("c", List.of("y"));
    ThemisScheduler scheduler = new ThemisScheduler(ShareTree.flat());
    for (String job : List.of("a", "b", "c")) {
      for (int i = 0; i < 5_000; i++) {
        enqueue(scheduler, job);
      }
    }
    assertThat(drawn(scheduler, 3_000).get("c")).isBetween(900, 1_100);
    scheduler.regroup(
        new ShareTree(flow -> hangs.getOrDefault(flow.job().toString(), List.of()), Map.of()), 0);
    assertThat(drawn(scheduler, 3_000).get("c")).isBetween(1_400, 1_600);
    hangs.put("b", List.of("y"));
    scheduler.place(Flow.of(JobId.of("b"), "t"), 0);
    assertThat(drawn(scheduler, 3_000).get("a")).isBetween(1_400, 1_600);
    scheduler.place(Flow.of(JobId.of("nobody"), "t"), 0);
    scheduler.checkInvariants(0);
  }

  @Test
  void whatARequestCostIsNeverLessThanNothing() {
    ThemisScheduler scheduler = new ThemisScheduler(ShareTree.flat());
    enqueue(scheduler, "a");
    Request served = (Request) scheduler.next(0);
    assertThatThrownBy(() -> scheduler.complete(served, -1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Of groups that somebody hangs in there is one each, whenever who joins them comes. */
  @Test
  void aGroupIsOneBeforeAndAfterAReconfiguration() {
    Map<String, List<String>> hangs =
        Map.of(
            "a", List.of("p", "x"),
            "b", List.of("p", "x"),
            "c", List.of("p", "z"),
            "d", List.of("q"));
    ShareTree tree =
        new ShareTree(flow -> hangs.getOrDefault(flow.job().toString(), List.of()), Map.of());
    ThemisScheduler scheduler = new ThemisScheduler(tree);
    enqueue(scheduler, "a", 5_000);
    enqueue(scheduler, "d", 5_000);
    scheduler.reconfigure(Shares.NONE, 0);
    enqueue(scheduler, "b", 5_000);
    enqueue(scheduler, "c", 5_000);
    Map<String, Integer> drawn = drawn(scheduler, 4_000);
    assertThat(drawn.get("d")).isBetween(1_850, 2_150);
    assertThat(drawn.get("c")).isBetween(850, 1_150);
    // Grouped anew by the same names.
    scheduler.regroup(tree, 0);
    drawn = drawn(scheduler, 4_000);
    assertThat(drawn.get("d")).isBetween(1_850, 2_150);
    assertThat(drawn.get("c")).isBetween(850, 1_150);
  }

  private static void enqueue(ThemisScheduler scheduler, String job, int requests) {
    for (int i = 0; i < requests; i++) {
      enqueue(scheduler, job);
    }
  }

  @Test
  void whoIsMisplacedIsNamed() {
    Branch group = new Branch(List.of("physics", "ann"), null);
    assertThatThrownBy(() -> new Lottery<>().leave(group))
        .hasMessage("the ticket is not in this lottery: group [physics, ann]");
    TicketQueue queue = new TicketQueue(Flow.of(JobId.of("a"), "t"), group);
    group.enter(queue.ticket);
    assertThatThrownBy(() -> group.enter(queue.ticket))
        .hasMessage("the ticket is in a lottery already: job a");
  }
}
