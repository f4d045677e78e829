package dev.sluice.core.policy.sojourn;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.StateReader;
import dev.sluice.core.policy.StateWriter;
import java.util.Map;
import java.util.TreeMap;

/** How {@link SojournAllState} is written: a line for each phase, and one for each application. */
final class SojournAllCodec implements StateCodec<SojournAllState> {
  private static final String BEGIN = "phases";
  private static final String PHASE = "phase";
  private static final String SIZE = "size";

  @Override
  public String name() {
    return SojournAllFactory.NAME;
  }

  @Override
  public void write(SojournAllState state, StateWriter out) {
    out.line(BEGIN).whole(state.phases().size()).whole(state.sizes().size());
    state
        .phases()
        .forEach((job, phase) ->
            out.line(PHASE)
                .job(job)
                .job(phase.application())
                .real(phase.tokens())
                .real(phase.virtualTokens()));
    state
        .sizes()
        .forEach((application, size) ->
            out.line(SIZE).job(application).real(size.tokens()).whole(size.seenNanos()));
  }

  @Override
  public SojournAllState read(StateReader in, Cluster cluster) {
    in.line(BEGIN);
    long phaseCount = in.whole(0, Integer.MAX_VALUE);
    long sizeCount = in.whole(0, Integer.MAX_VALUE);
    Map<JobId, SojournAllState.Phase> phases = new TreeMap<>();
    for (long i = 0; i < phaseCount; i++) {
      in.line(PHASE);
      if (phases.put(
              in.job(),
              new SojournAllState.Phase(
                  in.job(), in.real(0, Double.MAX_VALUE), in.real(0, Double.MAX_VALUE)))
          != null) {
        throw new IllegalArgumentException("a job has two phases");
      }
    }
    Map<JobId, SojournAllState.Size> sizes = new TreeMap<>();
    for (long i = 0; i < sizeCount; i++) {
      in.line(SIZE);
      if (sizes.put(
              in.job(),
              new SojournAllState.Size(
                  in.real(0, Double.MAX_VALUE), in.whole(Long.MIN_VALUE, Long.MAX_VALUE)))
          != null) {
        throw new IllegalArgumentException("an application is there twice");
      }
    }
    return new SojournAllState(phases, sizes);
  }
}
