package dev.sluice.gateway.target;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import java.util.function.Consumer;

/** A request that tells when it is served. */
final class ToyRequest extends TargetRequest {
  private final Consumer<ToyRequest> whenServed;
  boolean detached;
  boolean abandoned;
  volatile boolean wanted = true;

  ToyRequest(JobId job, Operation operation, int bytes, Consumer<ToyRequest> whenServed) {
    super(Flow.of(job, "disk"), operation, bytes);
    this.whenServed = whenServed;
  }

  ToyRequest(Flow flow, int bytes) {
    super(flow, Operation.WRITE, bytes);
    this.whenServed = _ -> {};
  }

  ToyRequest(JobId job, int bytes) {
    this(job, Operation.WRITE, bytes, _ -> {});
  }

  @Override
  protected void detach() {
    if (detached) {
      throw new IllegalStateException("detached twice");
    }
    detached = true;
  }

  @Override
  protected Served serve() {
    if (!detached) {
      throw new IllegalStateException("another thread uses its arguments");
    }
    whenServed.accept(this);
    return Served.moved((int) bytes());
  }

  @Override
  protected boolean isWanted() {
    return wanted;
  }

  @Override
  protected void abandon() {
    abandoned = true;
  }
}
