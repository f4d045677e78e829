package dev.sluice.control.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.server.MemberLine;
import dev.sluice.control.server.MemberSession;
import dev.sluice.control.settings.ControlSettings;
import dev.sluice.control.settings.JobTerms;
import dev.sluice.control.settings.Limit;
import dev.sluice.control.settings.SharedResource;
import dev.sluice.control.stage.RateKey;
import dev.sluice.control.stage.StageGroup;
import dev.sluice.control.stage.StageJob;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.JobIntroduction;
import dev.sluice.control.v1.JobLimits;
import dev.sluice.control.v1.JobUsage;
import dev.sluice.control.v1.MemberKind;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.v1.Scope;
import dev.sluice.control.v1.StageOrders;
import dev.sluice.control.v1.StageReport;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.lease.Leader;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Resources that are divided by {@code sojourn-all}, from reports to orders, in virtual time. */
class StageSojournTest {
  private static final LimitKey METADATA = new LimitKey("metadata", Counted.OPERATIONS);
  private static final RateKey KEY = RateKey.of(METADATA);
  private static final long MAXIMUM = 10_000;
  private static final long PERIOD_NANOS = 1_000_000_000L;
  private static final long ENDLESS = Long.MAX_VALUE / 4;

  /** A node with one job that has something to do from now on. */
  private static final class Node implements MemberLine {
    final String job;
    long left;
    long allowed;
    long sequence;
    int doneAfter;
    StageOrders orders = StageOrders.getDefaultInstance();

    Node(String job, long left) {
      this.job = job;
      this.left = left;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void send(ControllerMessage message) {
      orders = message.getStage();
      for (JobLimits limits : orders.getLimitsList()) {
        for (int i = 0; i < limits.getRatesCount(); i += 2) {
          if (limits.getRates(i) == KEY.number()) {
            allowed = limits.getRates(i + 1) - 1;
          }
        }
      }
    }

    @Override
    public void refuse(RefusedException why) {
      throw new AssertionError(why);
    }

    StageReport report(int cycle) {
      StageReport.Builder report =
          StageReport.newBuilder()
              .setSequence(++sequence)
              .setRound(orders.getRound())
              .setElapsedMicros(PERIOD_NANOS / 1_000)
              .setAgents(1);
      if (sequence == 1) {
        report.addIntroduced(
            JobIntroduction.newBuilder()
                .setNumber(1)
                .setJob(job)
                .setUser("of-" + job)
                .setProcesses(1)
                .setNodes(1));
      }
      long done = Math.min(left, allowed);
      long waited = left > allowed ? PERIOD_NANOS / 1_000 : 0;
      left -= done;
      if (left == 0 && done > 0) {
        doneAfter = cycle;
      }
      report.addUsages(
          JobUsage.newBuilder()
              .setNumber(1)
              .addAllFigures(List.of((long) Scope.SCOPE_GETATTR_VALUE, done, 0L, waited)));
      return report.build();
    }
  }

  private static SharedResource resource(Map<String, String> settings, Map<JobId, JobTerms> terms) {
    return new SharedResource(METADATA, MAXIMUM, "sojourn-all", settings, terms);
  }

  private static ControlSettings settings(long revision, SharedResource resource, Limit... limits) {
    return new ControlSettings(revision, List.of(resource), List.of(limits));
  }

  /** Nodes of a controller, from cycle to cycle. */
  private static final class Play {
    final StageGroup group = new StageGroup(100, () -> {});
    final StageDecisions decisions = new StageDecisions(PERIOD_NANOS);
    final List<Node> nodes = new ArrayList<>();
    final List<MemberSession> sessions = new ArrayList<>();
    long now;
    int cycle;

    Play(ControlSettings settings, Node... all) throws RefusedException {
      decisions.follow(settings);
      tell();
      for (Node node : all) {
        join(node);
      }
    }

    void join(Node node) throws RefusedException {
      nodes.add(node);
      sessions.add(
          group.join(
              Hello.newBuilder()
                  .setMember("n" + nodes.size())
                  .setKind(MemberKind.MEMBER_KIND_AGENT)
                  .setHost("test")
                  .build(),
              Mandate.AGENT,
              node,
              now));
    }

    private void tell() {
      group.tellAll(
          new StageGroup.Orders(
              new Leader(1, 1),
              PERIOD_NANOS,
              5 * PERIOD_NANOS,
              PERIOD_NANOS,
              decisions.newcomers(group.agents())),
          now);
    }

    void cycles(int count) throws RefusedException {
      for (int k = 0; k < count; k++) {
        now += PERIOD_NANOS;
        cycle++;
        for (int i = 0; i < nodes.size(); i++) {
          StageReport report = nodes.get(i).report(cycle);
          sessions.get(i).received(MemberMessage.newBuilder().setStage(report).build(), now);
        }
        decisions.decide(group);
        tell();
        group.checkInvariants();
        long sum = 0;
        for (StageJob job : group.jobs()) {
          sum += job.allowedPerSecond(KEY);
        }
        assertThat(sum).isLessThanOrEqualTo(MAXIMUM);
      }
    }

    String why(String job) {
      return Objects.requireNonNull(decisions.explanation(KEY)).reasons().stream()
          .filter(reason -> reason.job().equals(JobId.of(job)))
          .findFirst()
          .orElseThrow()
          .words();
    }
  }

  @Test
  void theShorterPhaseIsDoneEarlierAndTheLongerNoLater() throws Exception {
    SharedResource told = resource(Map.of("phases", "a=300000, b=100000"), Map.of());
    SharedResource fair = resource(Map.of("slack", "0"), Map.of());
    Node[] ours = {new Node("a", 300_000), new Node("b", 100_000)};
    Node[] sharing = {new Node("a", 300_000), new Node("b", 100_000)};
    Play play = new Play(settings(1, told), ours);
    play.cycles(10);
    assertThat(play.why("a"))
        .contains("it has time to spare, and leaves 2.50 kops/s to who has less");
    assertThat(play.why("b")).contains("of its phase are left", "others leave it");
    play.cycles(50);
    new Play(settings(1, fair), sharing).cycles(60);
    assertThat(sharing[1].doneAfter).isBetween(21, 24);
    assertThat(ours[1].doneAfter).isLessThan(17);
    assertThat(ours[0].doneAfter).isLessThanOrEqualTo(sharing[0].doneAfter + 2);
  }

  @Test
  void aLimitWinsAndWhatItKeepsFromAJobIsTheOthers() throws Exception {
    Limit limit = new Limit(new Limit.OfJob(JobId.of("a")), METADATA, 700, Limit.Firmness.HARD);
    Node a = new Node("a", ENDLESS);
    Node b = new Node("b", ENDLESS);
    Node c = new Node("c", ENDLESS);
    new Play(settings(1, resource(Map.of(), Map.of()), limit), a, b, c).cycles(5);
    assertThat(a.allowed).isEqualTo(700);
    assertThat(b.allowed + c.allowed).isEqualTo(MAXIMUM - 700);
    assertThat(Math.abs(b.allowed - c.allowed)).isLessThanOrEqualTo(1);
  }

  @Test
  void itIsSharedByPriorityOrByTheRateThatAJobMayCountOn() throws Exception {
    Map<JobId, JobTerms> priorities = Map.of(JobId.of("a"), new JobTerms(OptionalLong.empty(), 3));
    Node a = new Node("a", ENDLESS);
    Node b = new Node("b", ENDLESS);
    new Play(settings(1, resource(Map.of(), priorities)), a, b).cycles(5);
    assertThat(a.allowed).isBetween(7_499L, 7_501L);
    Map<JobId, JobTerms> assigned =
        Map.of(
            JobId.of("a"), new JobTerms(OptionalLong.of(6_000), 1),
            JobId.of("b"), new JobTerms(OptionalLong.of(2_000), 1));
    Node c = new Node("a", ENDLESS);
    Node d = new Node("b", ENDLESS);
    new Play(settings(1, resource(Map.of(), assigned)), c, d).cycles(5);
    assertThat(c.allowed).isBetween(7_499L, 7_501L);
    assertThat(d.allowed).isBetween(2_499L, 2_501L);
  }

  @Test
  void whoComesIsServedAtOnceAndWhatNobodyUsesIsTheOthers() throws Exception {
    Node a = new Node("a", ENDLESS);
    Play play = new Play(settings(1, resource(Map.of(), Map.of())), a);
    play.cycles(3);
    assertThat(a.allowed).isEqualTo(MAXIMUM);
    Node b = new Node("b", ENDLESS);
    play.join(b);
    play.cycles(3);
    assertThat(b.allowed).isEqualTo(MAXIMUM / 2);
    b.left = 0;
    play.cycles(2);
    assertThat(a.allowed).isGreaterThanOrEqualTo(MAXIMUM - MAXIMUM / 32 - 1);
    b.left = ENDLESS;
    play.cycles(2);
    assertThat(b.allowed).isEqualTo(MAXIMUM / 2);
  }

  @Test
  void anotherMaximumOrSettingForgetsNothingAndAnotherPolicyDoes() throws Exception {
    Node a = new Node("a", 50_000);
    Node b = new Node("b", ENDLESS);
    Play play = new Play(settings(1, resource(Map.of(), Map.of())), a, b);
    play.cycles(20);
    a.left = 50_000;
    play.cycles(4);
    assertThat(play.why("a")).contains("of its phase are left");
    play.decisions.follow(
        new ControlSettings(
            2,
            List.of(
                new SharedResource(
                    METADATA, MAXIMUM - 1, "sojourn-all", Map.of("keep", "0.6"), Map.of())),
            List.of()));
    play.cycles(1);
    assertThat(play.why("a")).contains("of its phase are left");
    play.decisions.follow(
        new ControlSettings(
            3,
            List.of(new SharedResource(METADATA, MAXIMUM, "psfa", Map.of(), Map.of())),
            List.of()));
    play.cycles(1);
    assertThat(play.decisions.explanation(KEY)).isNull();
    play.decisions.follow(settings(4, resource(Map.of(), Map.of())));
    play.cycles(1);
    assertThat(play.why("a")).contains("how large its phases are is not known");
  }

  @Test
  void whatThereIsNotIsRefusedAndWhatWasBeforeStays() throws Exception {
    Node a = new Node("a", ENDLESS);
    Play play = new Play(settings(1, resource(Map.of(), Map.of())), a);
    for (Map.Entry<String, String> wrong :
        Map.of("sojourn-al", "did you mean sojourn-all?", "sojourn", "there is no algorithm")
            .entrySet()) {
      assertThatThrownBy(() ->
              play.decisions.follow(
                  new ControlSettings(
                      2,
                      List.of(
                          new SharedResource(
                              METADATA, MAXIMUM, wrong.getKey(), Map.of(), Map.of())),
                      List.of())))
          .hasMessageContaining("\"" + wrong.getKey() + "\"")
          .hasMessageContaining(wrong.getValue());
    }
    play.cycles(3);
    assertThat(a.allowed).isEqualTo(MAXIMUM);
  }

  /** Whatever comes, goes and is limited; the sum is looked at in every cycle. */
  @Test
  void whoWantsIsServedAndAllTogetherHaveNoMoreThanThereIs() {
    SeededCases.forAll(
        1_000,
        random -> {
          Node[] nodes = new Node[1 + random.nextInt(8)];
          Arrays.setAll(nodes, i -> new Node("job" + i % 6, random.nextLong(40_000)));
          Limit limit =
              new Limit(
                  new Limit.OfJob(JobId.of("job0")),
                  METADATA,
                  1 + random.nextLong(MAXIMUM),
                  Limit.Firmness.HARD);
          Map<JobId, JobTerms> terms =
              Map.of(JobId.of("job1"), new JobTerms(OptionalLong.empty(), 1 + random.nextInt(9)));
          Map<String, String> phases = Map.of("phases", "job2=20000, job3=5000");
          SharedResource resource = resource(phases, terms);
          Play play =
              new Play(
                  random.nextBoolean() ? settings(1, resource) : settings(1, resource, limit),
                  nodes);
          for (int cycle = 0; cycle < 30; cycle++) {
            play.cycles(1);
            for (Node node : nodes) {
              assertThat(node.left == 0 || node.allowed > 0).isTrue();
              if (node.left == 0 && random.nextInt(5) == 0) {
                node.left = random.nextLong(40_000);
              }
            }
          }
        });
  }
}
