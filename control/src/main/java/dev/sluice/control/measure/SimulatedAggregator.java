package dev.sluice.control.measure;

import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.link.LinkRole;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.JobIntroduction;
import dev.sluice.control.v1.JobUsage;
import dev.sluice.control.v1.MemberKind;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.v1.NodePlace;
import dev.sluice.control.v1.Scope;
import dev.sluice.control.v1.StageReport;
import dev.sluice.store.lease.Leader;
import dev.sluice.store.lease.LeaderMemory;
import java.net.InetSocketAddress;
import java.util.Random;

/**
 * Tells a controller what an aggregator would tell whose nodes run one job each, which does
 * something else in every round; there are no nodes. So a controller can be measured with more of
 * them than a machine holds.
 */
final class SimulatedAggregator implements LinkRole {
  private static final int JOBS = 16;
  private static final long CALLS_PER_NODE = 500;

  private final int index;
  private final int nodes;
  private final ControllerLink link;
  private final Random random;
  private long sequence;

  /** Calls the controller, once and for all. */
  SimulatedAggregator(int index, int nodes, InetSocketAddress controller, NettyLoop loop) {
    this.index = index;
    this.nodes = nodes;
    this.random = new Random(index);
    this.link =
        new ControllerLink(
            ControllerLink.Addresses.local(controller),
            this,
            loop,
            new Random(index),
            LeaderMemory.NONE);
  }

  void start() {
    link.start();
  }

  @Override
  public Hello hello(Leader obeyed) {
    sequence = 0;
    return Hello.newBuilder()
        .setMember("aggregator-" + index)
        .setKind(MemberKind.MEMBER_KIND_AGGREGATOR)
        .setHost("simulated")
        .setEpoch(obeyed.epoch())
        .setLeader(obeyed.mark())
        .build();
  }

  @Override
  public void ordered(ControllerMessage orders, Leader by, long nowNanos) {
    StageReport.Builder report =
        StageReport.newBuilder()
            .setSequence(++sequence)
            .setRound(orders.getStage().getRound())
            .setElapsedMicros(1_000)
            .setAgents(nodes);
    for (int job = 0; job < JOBS; job++) {
      if (sequence == 1) {
        report.addIntroduced(introduction(job));
      }
      report.addUsages(
          JobUsage.newBuilder()
              .setNumber(job + 1)
              .addFigures(Scope.SCOPE_GETATTR_VALUE)
              .addFigures(random.nextLong(CALLS_PER_NODE * nodes))
              .addFigures(0)
              .addFigures(0));
    }
    link.send(MemberMessage.newBuilder().setStage(report).build());
  }

  private JobIntroduction introduction(int job) {
    JobIntroduction.Builder introduction =
        JobIntroduction.newBuilder()
            .setNumber(job + 1)
            .setJob("job-" + job)
            .setUser("nobody")
            .setProcesses(nodes / JOBS)
            .setNodes(nodes / JOBS);
    for (int node = job; node < nodes; node += JOBS) {
      introduction.addPlaces(NodePlace.newBuilder().setNode("node-" + index + "-" + node));
    }
    return introduction.build();
  }

  @Override
  public void parted(String reason, long nowNanos) {
    // The link calls again.
  }
}
