package dev.sluice.load.play;

import dev.sluice.core.model.Operation;
import dev.sluice.sim.scenario.Workload;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Requests that come at their own times, whether earlier ones are done or not; only the connection
 * bounds how many may be without an answer.
 */
final class PlayedOpenLoop implements PlayedWorkload {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Workplace place;
  private final PlayedMix mix;
  private final long requestBytes;
  private final double meanNanos;
  private final boolean regular;
  private final long requests;
  private @Nullable MetadataCalls calls;
  private @Nullable FileStream stream;

  private PlayedOpenLoop(
      Workplace place,
      PlayedMix mix,
      long requestBytes,
      double requestsPerSecond,
      boolean regular,
      long requests) {
    this.place = place;
    this.mix = mix;
    this.requestBytes = requestBytes;
    this.meanNanos = NANOS_PER_SECOND / requestsPerSecond;
    this.regular = regular;
    this.requests = requests;
    if (requestBytes == 0) {
      mix.operations().forEach(operation -> MetadataCalls.check(operation, place));
    }
  }

  static PlayedOpenLoop of(Workplace place, Workload.OpenLoop workload) {
    return new PlayedOpenLoop(
        place,
        new PlayedMix(Map.of(workload.operation(), 1)),
        workload.requestBytes(),
        workload.requestsPerSecond(),
        workload.regular(),
        workload.requests());
  }

  static PlayedOpenLoop of(Workplace place, Workload.MetadataMix workload) {
    return new PlayedOpenLoop(
        place,
        new PlayedMix(workload.weights()),
        0,
        workload.operationsPerSecond(),
        false,
        workload.operations());
  }

  @Override
  public void prepare() throws IOException {
    if (requestBytes == 0) {
      calls = new MetadataCalls(place);
      calls.prepare();
    } else {
      Operation operation = mix.operations().iterator().next();
      stream = place.createStream("data", operation, (double) requests * requestBytes);
    }
  }

  /** Regular requests begin at once, random ones after a first interval. */
  @Override
  public boolean play(Stage stage) throws IOException {
    double dueNanos = (double) stage.time().nowNanos();
    for (long i = 0; i < requests; i++) {
      if (!regular) {
        dueNanos += -StrictMath.log(1 - stage.random().nextDouble()) * meanNanos;
      } else if (i > 0) {
        dueNanos += meanNanos;
      }
      if (!stage.time().sleepUntil((long) dueNanos)) {
        return false;
      }
      send(stage);
    }
    stage.requests().awaitAll();
    return true;
  }

  private void send(Stage stage) {
    if (requestBytes == 0) {
      Operation operation = mix.draw(stage.random());
      stage.requests().sendNow(() -> Objects.requireNonNull(calls).call(operation));
    } else {
      stage.requests().sendNow(() -> Objects.requireNonNull(stream).request(requestBytes));
    }
  }
}
