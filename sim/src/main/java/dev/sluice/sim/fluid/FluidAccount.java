package dev.sluice.sim.fluid;

import dev.sluice.core.policy.JobDemand;
import java.util.ArrayList;
import java.util.List;

/** A job on a target: its streams there, what they want of a period, and what they got. */
final class FluidAccount {
  final FluidJob job;
  final FluidTarget target;

  /** Those that have something to send. */
  private final List<FluidStream> streams = new ArrayList<>();

  double wantedNanos;
  double wantedTokens;
  double keptNanos;

  /** What its tokens stand for in this period. */
  double limitNanos;

  private double arrivedTokens;
  private double backlogTokens;
  private double servedNanos;

  FluidAccount(FluidJob job, FluidTarget target) {
    this.job = job;
    this.target = target;
  }

  boolean isIdle() {
    return streams.isEmpty();
  }

  void add(FluidStream stream) {
    streams.add(stream);
  }

  void remove(FluidStream stream) {
    streams.remove(stream);
  }

  /** Adds up what its streams want of a period. */
  void want(long beginNanos, long endNanos) {
    wantedNanos = 0;
    wantedTokens = 0;
    keptNanos = 0;
    for (FluidStream stream : streams) {
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
  void grant(double nanos, double atPart) {
    int count = streams.size();
    if (count == 1 || nanos >= wantedNanos) {
      for (FluidStream stream : streams) {
        stream.grant(count == 1 ? nanos : stream.wantedNanos(), atPart);
      }
      return;
    }
    Division division = new Division(count);
    for (int i = 0; i < count; i++) {
      division.add(streams.get(i).keptNanos(), streams.get(i).wantedNanos());
    }
    division.divide(nanos);
    for (int i = 0; i < count; i++) {
      streams.get(i).grant(division.part(i), division.doneAtPart(i));
    }
  }

  /** A stream was served, and then had so much outstanding where it had that much before. */
  void served(FluidStream stream, double requests, double before, double after) {
    servedNanos += stream.nanosFor(requests);
    arrivedTokens += Math.max(0, after + requests - before) * stream.priceTokens;
    backlogTokens += Math.max(0, before - requests) * stream.priceTokens;
  }

  /** What it did in the period; nothing of it is left for the next. */
  JobDemand takeDemand() {
    JobDemand demand =
        new JobDemand(job.id(), job.nodes(), whole(arrivedTokens), whole(backlogTokens));
    arrivedTokens = 0;
    backlogTokens = 0;
    return demand;
  }

  /** Rounded up: whoever wants a part of a token is there. */
  private static long whole(double tokens) {
    return (long) Math.min(Math.ceil(tokens), (double) JobDemand.TOKENS_MAX);
  }

  double outstandingRequests() {
    double sum = 0;
    for (FluidStream stream : streams) {
      sum += stream.process.outstandingPerStripe();
    }
    return sum;
  }

  /** What the device needed for all that the job was served here. */
  double servedNanos() {
    return servedNanos;
  }
}
