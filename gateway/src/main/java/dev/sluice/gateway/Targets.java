package dev.sluice.gateway;

import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.gateway.config.TargetConfiguration;
import dev.sluice.gateway.target.ControlledTarget;
import dev.sluice.gateway.target.TargetService;
import dev.sluice.gateway.target.TargetSettings;
import dev.sluice.gateway.target.TargetStatistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The targets of a gateway, by name. Not thread-safe, except where it says so. */
final class Targets implements AutoCloseable {
  private final Map<String, TargetService> services = new LinkedHashMap<>();

  /** The same for whoever looks on, from any thread. */
  private volatile List<TargetService> shown = List.of();

  /** Longer than a call that is on its way takes to get where it waits. */
  private static final long RETIRED_NANOS = 60_000_000_000L;

  /** Those that are configured no more; calls that were on their way still wait there. */
  private final List<Retired> retired = new ArrayList<>();

  /** A target that is configured no more, and from when. */
  private record Retired(TargetService service, long sinceNanos) {}

  Targets(List<TargetConfiguration> configured) {
    follow(configured, System.nanoTime());
  }

  /** Makes what is new, resizes what changed, and retires what is gone. */
  void follow(List<TargetConfiguration> configured, long nowNanos) {
    Map<String, TargetService> before = new LinkedHashMap<>(services);
    services.clear();
    for (TargetConfiguration wanted : configured) {
      TargetService service = before.remove(wanted.name());
      if (service == null) {
        service =
            new TargetService(
                new TargetSettings(
                    wanted.target(), wanted.paced(), wanted.workers(), wanted.found()),
                SchedulerKind.FIFO);
      } else {
        if (wanted.found() != null || !service.target().equals(wanted.target())) {
          service.resize(wanted.target(), nowNanos);
        }
        service.find(wanted.found(), nowNanos);
        service.pace(wanted.paced(), nowNanos);
        service.employ(wanted.workers(), nowNanos);
      }
      services.put(wanted.name(), service);
    }
    shown = List.copyOf(services.values());
    before.values().forEach(service -> retired.add(new Retired(service, nowNanos)));
  }

  /** The target with this name; it must be there. */
  TargetService named(String name) {
    TargetService service = services.get(name);
    if (service == null) {
      throw new IllegalArgumentException("there is no target " + name);
    }
    return service;
  }

  List<ControlledTarget> all() {
    return List.copyOf(services.values());
  }

  /** Those that are configured now; may be asked for by any thread. */
  List<TargetService> shown() {
    return shown;
  }

  /** Ends the threads of those that nobody comes to any more. */
  void sweep(long nowNanos) {
    retired.removeIf(gone -> {
      TargetStatistics seen = gone.service.statistics(nowNanos);
      boolean idle =
          nowNanos - gone.sinceNanos > RETIRED_NANOS && seen.queued() == 0 && seen.inService() == 0;
      if (idle) {
        gone.service.close();
      }
      return idle;
    });
  }

  @Override
  public void close() {
    services.values().forEach(TargetService::close);
    retired.forEach(gone -> gone.service.close());
  }
}
