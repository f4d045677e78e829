package dev.sluice.control.controller;

import dev.sluice.access.Refusals;
import dev.sluice.control.access.MemberAuthenticator;
import dev.sluice.control.gateways.TargetPlane;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.leader.Standing;
import dev.sluice.control.loop.Loop;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.control.server.MemberLine;
import dev.sluice.control.server.MemberServer;
import dev.sluice.control.server.MemberSession;
import dev.sluice.control.settings.ControlSettings;
import dev.sluice.control.settings.SettingsSource;
import dev.sluice.control.stage.JobCheck;
import dev.sluice.control.stage.StageGroup;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.control.PolicyControls;
import dev.sluice.store.documents.PresentJob;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.lease.Leader;
import dev.sluice.store.lease.Predecessors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides for all nodes: collect, decide, tell, sleep. Everything happens on one thread, which is
 * also the one that moves the bytes.
 */
public final class Controller implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Controller.class.getName());
  private static final long ASK_SECONDS = 5;

  /** How often a controller that does not lead looks whether it does: its members wait for it. */
  public static final long STANDING_LOOK_NANOS = 100_000_000L;

  /**
   * Cycles may follow each other without a pause because each waits for reports. With nobody to
   * wait for, they would leave the thread no time to let the first member in.
   */
  private static final long ALONE_PAUSE_NANOS = 10_000_000L;

  private final ControllerOptions options;
  private final SettingsSource settings;
  private final Leadership leadership;
  private final Consumer<Cycle> whenTold;
  private final NettyLoop loop;
  private final Refusals refusals = new Refusals();
  private final StageGroup stage;
  private final StageDecisions decisions;
  private final MemberServer server;

  private Standing standing = new Standing.Follows("this controller has just started");
  private long dueNanos;
  private long beganNanos;
  private Loop.@Nullable Timer timer;
  private final Predecessors predecessors = new Predecessors();
  private @Nullable String settingsProblem;
  private @Nullable TargetPlane targets;
  private JobCheck check = JobCheck.NONE;
  private long cycles;
  private boolean closed;

  /**
   * Starts to listen, and to decide as soon as it leads.
   *
   * @param settings asked once a cycle for what holds now
   * @param leadership asked before all orders
   * @param whenTold told of every cycle, on the loop's thread
   */
  public Controller(
      ControllerOptions options,
      SettingsSource settings,
      Leadership leadership,
      MemberAuthenticator authenticator,
      Consumer<Cycle> whenTold)
      throws IOException {
    this.options = options;
    this.decisions = new StageDecisions(options.periodNanos());
    this.settings = settings;
    this.leadership = leadership;
    this.whenTold = whenTold;
    this.loop = new NettyLoop("controller");
    this.stage =
        new StageGroup(
            options.membersMax(),
            this::reportsComplete,
            this::heardBehind,
            refusals,
            authenticator);
    try {
      this.server =
          new MemberServer(
              options.listen(), options.tls(), authenticator, refusals, this::welcome, loop);
    } catch (IOException | RuntimeException e) {
      loop.close();
      throw e;
    }
    loop.execute(() -> {
      dueNanos = loop.nowNanos();
      beganNanos = dueNanos;
      cycle();
    });
  }

  /**
   * Lets gateways in, from now on, and has a policy decide about all their targets together.
   *
   * @param controls puts the policy to work, with the memory that it is to have
   * @param decider runs the policy, on a thread that it may block
   */
  public void decideForGateways(PolicyChoice policy, PolicyControls controls, Executor decider) {
    long epochOffsetNanos =
        TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();
    loop.execute(() -> {
      TargetPlane plane =
          new TargetPlane(
              policy, controls, decider, loop, this::leaderIfLeading, refusals, epochOffsetNanos);
      plane.check(check);
      targets = plane;
    });
  }

  /** Has jobs looked at, from now on, whether they can be where members say that they are. */
  public void checkJobs(JobCheck wanted) {
    loop.execute(() -> {
      check = wanted;
      stage.check(wanted, loop.nowNanos());
      if (targets != null) {
        targets.check(wanted);
      }
    });
  }

  /** All that it has refused. */
  public Refusals refusals() {
    return refusals;
  }

  private @Nullable Leader leaderIfLeading() {
    return leadership.standing(loop.nowNanos()) instanceof Standing.Leads leads ? leads.as() : null;
  }

  /** What holds on the targets of all gateways. */
  public Map<String, Shares> targetShares() {
    return ask(() -> targets == null ? Map.of() : targets.inForce());
  }

  /** The port that members call. */
  public int port() {
    return server.port();
  }

  private MemberSession welcome(Hello hello, Mandate mandate, MemberLine line, long nowNanos)
      throws RefusedException {
    // What was so in the last cycle may be long ago for a controller that was stopped since.
    if (!leadership.standing(nowNanos).equals(standing)) {
      cycle();
    }
    if (!(standing instanceof Standing.Leads leads)) {
      throw new RefusedException(RefusedException.Kind.NOT_NOW, reason(standing));
    }
    Leader obeyed = new Leader(hello.getEpoch(), hello.getLeader());
    RefusedException objection = objection(hello.getMember(), obeyed, leads.as(), nowNanos);
    if (objection != null) {
      throw objection;
    }
    return switch (hello.getKind()) {
      case MEMBER_KIND_AGENT, MEMBER_KIND_AGGREGATOR -> stage.join(hello, mandate, line, nowNanos);
      default -> {
        if (targets == null) {
          throw RefusedException.badMessage(
              "this controller decides nothing for gateways; its configuration names no policy");
        }
        yield targets.join(hello, mandate, line, nowNanos);
      }
    };
  }

  /**
   * Why a member will not obey us, after whom it has obeyed before; null where it will. Where it is
   * believed, we lead above that leader soon, and it may call again.
   */
  private @Nullable RefusedException objection(
      String member, Leader obeyed, Leader us, long nowNanos) {
    return switch (predecessors.judge(member, obeyed, us, System.currentTimeMillis(), nowNanos)) {
      case Predecessors.Verdict.Welcome _ -> null;
      case Predecessors.Verdict.Refuse(var reason) ->
          new RefusedException(RefusedException.Kind.NOT_ALLOWED, reason);
      case Predecessors.Verdict.Outdo(var reason) -> {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}; this controller is to lead under a higher number",
            reason);
        leadership.outdo(obeyed.epoch());
        yield new RefusedException(
            RefusedException.Kind.NOT_NOW, reason + "; it will be higher when you call again");
      }
    };
  }

  /** An aggregator says whom somebody behind it has obeyed. */
  private void heardBehind(String member, Leader obeyed, long nowNanos) {
    if (standing instanceof Standing.Leads leads) {
      RefusedException _ = objection(member, obeyed, leads.as(), nowNanos);
    }
  }

  private static String reason(Standing standing) {
    return standing instanceof Standing.Follows follows ? follows.reason() : "it leads";
  }

  private void reportsComplete() {
    // Not at once: whoever told us of the last report is not done with it.
    loop.execute(this::look);
  }

  private void look() {
    if (!closed && stage.isComplete() && loop.nowNanos() - dueNanos >= 0) {
      cycle();
    }
  }

  /** The time for reports has come: who has not sent one has a little more. */
  private void due() {
    if (closed) {
      return;
    }
    if (stage.isComplete()) {
      cycle();
    } else {
      timer = loop.schedule(this::cycle, options.timeoutNanos());
    }
  }

  private void cycle() {
    if (closed) {
      return;
    }
    if (timer != null) {
      timer.cancel();
    }
    long nowNanos = loop.nowNanos();
    // Who comes late skips what has passed: it is in the reports.
    dueNanos = Math.max(dueNanos + options.periodNanos(), nowNanos);
    try {
      turn(nowNanos);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a cycle failed, and the next one is tried", e);
    }
    if (!(standing instanceof Standing.Leads)) {
      dueNanos = Math.min(dueNanos, nowNanos + STANDING_LOOK_NANOS);
    }
    if (stage.isComplete()) {
      dueNanos = Math.max(dueNanos, nowNanos + ALONE_PAUSE_NANOS);
    }
    timer = loop.schedule(this::due, dueNanos - loop.nowNanos());
  }

  private void turn(long collectedNanos) {
    standing = leadership.standing(collectedNanos);
    if (!(standing instanceof Standing.Leads leads)) {
      stage.dismissAll(reason(standing), collectedNanos);
      if (targets != null) {
        targets.dismissAll(reason(standing), collectedNanos);
      }
      return;
    }
    followSettings();
    stage.lookAgain(collectedNanos);
    decisions.decide(stage);
    long decidedNanos = loop.nowNanos();
    // Deciding may have taken long enough for a lease to run out.
    if (!leadership.standing(decidedNanos).equals(leads)) {
      return;
    }
    long round = stage.round();
    stage.tellAll(
        new StageGroup.Orders(
            leads.as(),
            dueNanos - decidedNanos,
            options.lapseNanos(),
            options.periodNanos(),
            decisions.newcomers(stage.agents()),
            decisions.settings().promises().guarantees()),
        decidedNanos);
    long toldNanos = loop.nowNanos();
    cycles++;
    whenTold.accept(
        new Cycle(
            round,
            stage.members(),
            stage.agents(),
            beganNanos,
            collectedNanos,
            decidedNanos,
            toldNanos));
    beganNanos = toldNanos;
  }

  private void followSettings() {
    try {
      ControlSettings now = settings.inForce(presentJobs());
      decisions.follow(now);
      if (targets != null) {
        targets.promise(now.promises());
      }
      settingsProblem = null;
    } catch (RuntimeException e) {
      String problem = "the settings before stay in force: " + e.getMessage();
      if (!problem.equals(settingsProblem)) {
        LOG.log(System.Logger.Level.WARNING, problem);
      }
      settingsProblem = problem;
    }
  }

  private List<PresentJob> presentJobs() {
    List<PresentJob> present = new ArrayList<>(stage.jobs().size());
    stage.jobs().forEach(job -> present.add(new PresentJob(job.id(), job.user())));
    return present;
  }

  /** How it is. */
  public ControllerStatus status() {
    return ask(() ->
        ControllerStatus.of(
            standing,
            cycles,
            settingsProblem == null ? leadership.notice() : settingsProblem,
            decisions,
            stage,
            targets,
            loop.nowNanos()));
  }

  /** Has something asked on the loop's thread. */
  private <T> T ask(Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    loop.execute(() -> {
      try {
        answer.complete(question.get());
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
    });
    try {
      return answer.get(ASK_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the controller does not answer: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    loop.execute(() -> {
      closed = true;
      stage.dismissAll("this controller ends", loop.nowNanos());
      if (targets != null) {
        targets.dismissAll("this controller ends", loop.nowNanos());
      }
    });
    server.close();
    loop.close();
  }
}
