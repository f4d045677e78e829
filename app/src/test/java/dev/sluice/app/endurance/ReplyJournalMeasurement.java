package dev.sluice.app.endurance;

import dev.sluice.app.NfsCaller;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.NfsVersion;
import dev.sluice.nfs.rpc.Credential;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What it costs to keep replies beyond the death of a gateway: names that are made, renamed and
 * removed a second, by one client and by eight, of each version, with each kind of {@code replies}.
 * All kinds take turns, and the middle one of theirs counts. To be run by itself: the directory to
 * work in is its argument, and how many turns.
 */
final class ReplyJournalMeasurement {
  private static final int WARM_MILLIS = 500;
  private static final int MILLIS = 2_000;
  private static final int CALLS_PER_STEP = 3;
  private static final List<String> KINDS = List.of("(no failover)", "memory", "journal", "forced");

  private final Map<String, GatewayProcess> gateways = new LinkedHashMap<>();
  private final Credential.Sys caller;
  private int number;

  private ReplyJournalMeasurement(Credential.Sys caller) {
    this.caller = caller;
  }

  /** Prints a row for each kind and number of clients. */
  public static void main(String[] args) throws Exception {
    ReplyJournalMeasurement measurement = new ReplyJournalMeasurement(NfsCaller.find());
    try {
      measurement.start(Path.of(args[0]));
      measurement.measure(Integer.parseInt(args[1]));
    } finally {
      measurement.gateways.values().forEach(GatewayProcess::close);
    }
  }

  private void start(Path directory) throws Exception {
    for (String kind : KINDS) {
      String failover =
          kind.startsWith("(") ? "" : "failover: {shared: shared, name: a, replies: " + kind + "}";
      String configuration =
          """
          memory: 64 MiB
          history: off
          targets: {disk: {capacity: 1000 kops/s}}
          exports: {/export: {directory: export, privileged-ports: false}}
          %s
          """
              .formatted(failover);
      Path own = Files.createDirectory(directory.resolve(kind.replaceAll("[^a-z]", "")));
      gateways.put(kind, new GatewayProcess(own, configuration, List.of()));
    }
  }

  private void measure(int turns) throws Exception {
    System.out.println("| version | replies | clients | calls/s |");
    System.out.println("|---|---|---|---|");
    for (NfsVersion version : NfsVersion.values()) {
      for (int clients : new int[] {1, 8}) {
        Map<String, List<Double>> rates = new LinkedHashMap<>();
        for (int turn = 0; turn < turns; turn++) {
          for (String kind : KINDS) {
            rates
                .computeIfAbsent(kind, _ -> new ArrayList<>())
                .add(callsPerSecond(gateways.get(kind), version, clients));
          }
        }
        rates.forEach((kind, all) ->
            System.out.printf(
                Locale.ROOT,
                "| %s | %s | %d | %.0f |%n",
                version,
                kind,
                clients,
                all.stream().sorted().toList().get(all.size() / 2)));
      }
    }
  }

  private double callsPerSecond(GatewayProcess gateway, NfsVersion version, int clients)
      throws Exception {
    Handle root = gateway.mount(version, caller, "/export");
    List<NameChanger> changers = new ArrayList<>();
    List<NfsClient> connections = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      for (int i = 0; i < clients; i++) {
        NfsClient client = gateway.connect(version, caller);
        connections.add(client);
        NameChanger changer = new NameChanger(client, root, number++);
        changers.add(changer);
        threads.execute(changer);
      }
      GatewayProcess.pauseMillis(WARM_MILLIS);
      long before = steps(changers);
      long beganNanos = System.nanoTime();
      GatewayProcess.pauseMillis(MILLIS);
      double rate =
          1e9 * CALLS_PER_STEP * (steps(changers) - before) / (System.nanoTime() - beganNanos);
      changers.forEach(NameChanger::stop);
      return rate;
    } finally {
      connections.forEach(NfsClient::close);
    }
  }

  private static long steps(List<NameChanger> changers) {
    return changers.stream().mapToLong(NameChanger::steps).sum();
  }
}
