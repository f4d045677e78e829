package dev.sluice.sim.storage;

import dev.sluice.core.model.Operation;
import dev.sluice.core.schedule.Request;

/** A request in virtual time. Its client uses it again when it is complete. */
public final class SimRequest extends Request {
  final JobOnTarget job;
  final JobOnTarget.Sender sender;
  final long priceTokens;
  private final Client client;

  long arrivalNanos;

  /** The control period in which it arrived. */
  long period;

  /** When it was handed to the device, and what for, where a capacity is found out. */
  long startedNanos;

  long foundCost;

  long serviceNanos;
  long completionNanos;

  /** Whoever sends requests and waits for them. */
  public interface Client {
    /** A request is complete and may be used again. */
    void completed(SimRequest request, long nowNanos);
  }

  /**
   * @param operations how many it stands for
   */
  public SimRequest(
      JobOnTarget job, Operation operation, long operations, long bytes, Client client) {
    super(job.flow, operation, operations, bytes);
    this.job = job;
    this.sender = job.sender(client);
    this.priceTokens = job.target.spec().told().unit().price(operations, bytes);
    this.client = client;
  }

  /** Sends it to its target. */
  public void send(long nowNanos) {
    job.target.arrive(this, nowNanos);
  }

  void complete(long nowNanos) {
    client.completed(this, nowNanos);
  }

  public JobOnTarget account() {
    return job;
  }

  /** When it arrived at its target. */
  public long arrivalNanos() {
    return arrivalNanos;
  }

  /** How long it would have taken, had it been alone. */
  public long aloneNanos() {
    return serviceNanos + job.target.spec().latencyNanos();
  }
}
