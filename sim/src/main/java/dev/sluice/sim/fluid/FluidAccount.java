package dev.sluice.sim.fluid;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.JobService;
import org.jspecify.annotations.Nullable;

/** A job on a target: its streams there, what they want of a period, and what they got. */
final class FluidAccount extends FluidClaim {
  /** Its job's rank, nodes and application, here because they are asked for in every period. */
  final int rank;

  private final long nodes;
  private final JobId application;

  final FluidTarget target;

  /** The first of those that have something to send. */
  private @Nullable FluidStream first;

  private int count;

  private double arrivedTokens;
  private double servedTokens;
  private double backlogTokens;
  private double servedNanos;

  /** What waited at the beginning of this step. */
  private double waitedTokens;

  /** Of the period that a decision is taken on, up to the last look; and what waited before it. */
  private double arrivedBeforeLookTokens;

  private double servedBeforeLookTokens;
  private double waitedBeforePeriodTokens;
  private boolean looked;

  FluidAccount(FluidJob job, FluidTarget target) {
    super(job.id(), target.grouping.path(job.spec().owner()));
    this.rank = job.rank();
    this.nodes = job.nodes();
    this.application = job.application();
    this.target = target;
  }

  boolean isIdle() {
    return first == null;
  }

  void add(FluidStream stream) {
    stream.next = first;
    first = stream;
    count++;
  }

  @SuppressWarnings("ReferenceEquality") // It is this very stream that leaves.
  void remove(FluidStream stream) {
    FluidStream before = null;
    FluidStream at = first;
    while (at != null && at != stream) {
      before = at;
      at = at.next;
    }
    if (before == null) {
      first = stream.next;
    } else {
      before.next = stream.next;
    }
    stream.next = null;
    count--;
  }

  /** Adds up what its streams want of a period. */
  void want(long beginNanos, long endNanos) {
    wantedNanos = 0;
    wantedTokens = 0;
    keptNanos = 0;
    for (FluidStream stream = first; stream != null; stream = stream.next) {
      stream.want(beginNanos, endNanos);
      wantedNanos += stream.wantedNanos();
      wantedTokens += stream.wantedTokens();
      keptNanos += stream.keptNanos();
    }
  }

  /**
   * Divides what it is given among its streams, by what each keeps outstanding.
   *
   * @param atPart at which part of the period it has that, if it is all it wants; 0 to 1
   */
  @Override
  void grant(double nanos, double atPart) {
    if (count == 1 || nanos >= wantedNanos) {
      for (FluidStream stream = first; stream != null; stream = stream.next) {
        stream.grant(count == 1 ? nanos : stream.wantedNanos(), atPart);
      }
      return;
    }
    DividedTime division = new DividedTime(count);
    for (FluidStream stream = first; stream != null; stream = stream.next) {
      division.add(stream.keptNanos(), stream.wantedNanos());
    }
    division.divide(nanos);
    int index = 0;
    for (FluidStream stream = first; stream != null; stream = stream.next) {
      stream.grant(division.part(index), division.doneAtPart(index));
      index++;
    }
  }

  /** A stream was served, and then had so much outstanding where it had that much before. */
  void served(FluidStream stream, double requests, double before, double after) {
    servedNanos += stream.nanosFor(requests);
    servedTokens += requests * stream.priceTokens;
    waitedTokens += before * stream.priceTokens;
    arrivedTokens += Math.max(0, after + requests - before) * stream.priceTokens;
    backlogTokens += Math.max(0, before - requests) * stream.priceTokens;
  }

  /** What it did since the last look, in a period that goes on. */
  JobDemand look() {
    JobDemand demand = demand(arrivedTokens, backlogTokens, servedTokens);
    if (!looked) {
      looked = true;
      waitedBeforePeriodTokens = waitedTokens;
    }
    arrivedBeforeLookTokens += arrivedTokens;
    servedBeforeLookTokens += servedTokens;
    beginStep();
    return demand;
  }

  /** What it did in the period; nothing of it is left for the next. */
  JobDemand takeDemand() {
    double served = servedBeforeLookTokens + servedTokens;
    double backlog = looked ? Math.max(0, waitedBeforePeriodTokens - served) : backlogTokens;
    JobDemand demand = demand(arrivedBeforeLookTokens + arrivedTokens, backlog, served);
    beginStep();
    arrivedBeforeLookTokens = 0;
    servedBeforeLookTokens = 0;
    looked = false;
    return demand;
  }

  private JobDemand demand(double arrived, double backlog, double served) {
    return new JobDemand(
        job,
        new JobClaim(nodes, 1, JobClaim.NOT_RESERVED, application, Math.max(1, count)),
        whole(arrived),
        whole(backlog),
        new JobService((long) served, 0, JobService.NOT_KNOWN),
        Cadence.UNKNOWN,
        JobDemand.NOT_KNOWN);
  }

  private void beginStep() {
    servedTokens = 0;
    arrivedTokens = 0;
    backlogTokens = 0;
    waitedTokens = 0;
  }

  /** Rounded up: whoever wants a part of a token is there. */
  private static long whole(double tokens) {
    return (long) Math.min(Math.ceil(tokens), (double) JobDemand.TOKENS_MAX);
  }

  double outstandingRequests() {
    double sum = 0;
    for (FluidStream stream = first; stream != null; stream = stream.next) {
      sum += stream.process.outstandingPerStripe();
    }
    return sum;
  }

  /** What the device needed for all that the job was served here. */
  double servedNanos() {
    return servedNanos;
  }
}
