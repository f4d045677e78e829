package dev.sluice.papers.sdqpro;

import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.TargetResult;

/** What applications were served between the ends of two runs that are otherwise the same. */
record Served(RunResult begin, RunResult end) {
  private double seconds() {
    return (end.endNanos() - begin.endNanos()) / 1e9;
  }

  private double bytes(int application) {
    return (double) (end.jobs().get(application).bytes() - begin.jobs().get(application).bytes());
  }

  /** What an application was served a second as a part of what it desires. */
  double part(int application) {
    return bytes(application) / seconds() / Servers.bytesPerSecond(application);
  }

  /** The same of all of them together. */
  double share() {
    double served = 0;
    double desired = 0;
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      served += bytes(i);
      desired += (double) Servers.bytesPerSecond(i);
    }
    return served / seconds() / desired;
  }

  /** The part of its limit that the fullest server served. */
  double fullest() {
    double fullest = 0;
    for (int s = 0; s < end.targets().size(); s++) {
      TargetResult server = end.targets().get(s);
      double bytes = (double) (server.bytes() - begin.targets().get(s).bytes());
      fullest = Math.max(fullest, bytes / seconds() / server.capacityBytesPerSecond());
    }
    return fullest;
  }
}
