package dev.sluice.lustre.control;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.config.LustreConfigurationReader;
import dev.sluice.lustre.lctl.LustreServer;
import dev.sluice.lustre.standin.ListedJobs;
import dev.sluice.lustre.standin.StandInLctl;
import dev.sluice.lustre.standin.StandInServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A stand-in server under the care of a loop, in a time of its own. */
final class Rig implements AutoCloseable {
  static final long SECOND = 1_000_000_000L;
  static final String TARGET = "a-OST0000";

  final StandInServer<String> server;
  final StandInLctl lctl;
  final LustreServer parameters;
  final LustreConfiguration configuration;
  final ListedJobs jobs = new ListedJobs();
  final Journal journal;
  final Custody custody;
  final LustreLoop loop;
  long nowNanos = SECOND;

  Rig(StandInServer<String> server, Path directory, String settings) throws Exception {
    this.server = server;
    this.lctl = new StandInLctl(server);
    this.parameters = new LustreServer(lctl, LustreService.OST_IO);
    this.configuration = configuration(directory, settings);
    this.journal = Journal.open(configuration.state(), LustreService.OST_IO);
    this.custody = new Custody(parameters, configuration, journal, _ -> {});
    LustreVersion version = takeOver();
    this.loop =
        LustreLoop.enforcing(parameters, version, configuration, jobs, custody, () -> nowNanos);
  }

  private LustreVersion takeOver() throws Exception {
    try {
      return custody.takeOver();
    } catch (Exception e) {
      journal.close();
      throw e;
    }
  }

  static LustreConfiguration configuration(Path directory, String settings) {
    String capacity = settings.contains("capacity") ? "" : ", capacity: 1000 ops/s";
    return LustreConfigurationReader.parse(
        "test.yaml", "{state: state" + capacity + settings + "}", directory);
  }

  static StandInServer<String> filtering(String version, int partitions) {
    return StandInServer.filtering(LustreVersion.parse(version), partitions);
  }

  /** A second in which jobs were served so much, and the step that ends it. */
  PeriodReport period(Map<String, Integer> served) throws InterruptedException {
    nowNanos += SECOND;
    served.forEach((job, count) -> serve(job, count));
    return loop.step(nowNanos);
  }

  private void serve(String job, int count) {
    // A request of each job comes in on every partition, so that its rule is noticed there.
    for (int partition = 0; partition < server.rulesByPartition().size(); partition++) {
      server.enqueue(partition, job, job, nowNanos);
      server.drain(partition);
    }
    server.served(TARGET, job, count, 1_000L * count, nowNanos);
  }

  /** The rates of our rules, if they are the same on all partitions. */
  Map<String, Long> ownRules() {
    Map<String, Long> first = own(server.rulesByPartition().getFirst());
    for (Map<String, Long> rules : server.rulesByPartition()) {
      if (!own(rules).equals(first)) {
        throw new AssertionError("partitions differ: " + server.rulesByPartition());
      }
    }
    return first;
  }

  private static Map<String, Long> own(Map<String, Long> rules) {
    Map<String, Long> own = new TreeMap<>(rules);
    own.keySet().removeIf(name -> !name.startsWith("sl_"));
    return own;
  }

  /** The rules of others, by partition. */
  List<Map<String, Long>> othersRules() {
    return server.rulesByPartition().stream()
        .map(rules -> {
          Map<String, Long> others = new HashMap<>(rules);
          others.keySet().removeIf(name -> name.startsWith("sl_"));
          return others;
        })
        .toList();
  }

  @Override
  public void close() throws IOException {
    journal.close();
  }
}
