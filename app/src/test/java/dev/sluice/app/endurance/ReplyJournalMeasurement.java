package dev.sluice.app.endurance;

import dev.sluice.app.NfsCaller;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.nfs.rpc.Credential;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What it costs to keep replies beyond the death of a gateway: names that are made, renamed and
 * removed a second, by one client and by eight, with each kind of {@code replies}. To be run by
 * itself: the directory to work in is its argument.
 */
final class ReplyJournalMeasurement {
  private static final int WARM_MILLIS = 3_000;
  private static final int MILLIS = 5_000;
  private static final int CALLS_PER_STEP = 3;

  private ReplyJournalMeasurement() {}

  /** Prints a row for each kind and number of clients. */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    Credential.Sys caller = NfsCaller.find();
    System.out.println("| replies | clients | calls/s |");
    System.out.println("|---|---|---|");
    for (String kind : List.of("(no failover)", "memory", "journal", "forced")) {
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
      try (GatewayProcess gateway = new GatewayProcess(own, configuration, List.of())) {
        for (int clients : new int[] {1, 8}) {
          System.out.printf(
              Locale.ROOT,
              "| %s | %d | %.0f |%n",
              kind,
              clients,
              callsPerSecond(gateway, caller, clients));
        }
      }
    }
  }

  private static double callsPerSecond(GatewayProcess gateway, Credential.Sys caller, int clients)
      throws Exception {
    Handle root = gateway.mount(caller, "/export");
    List<NameChanger> changers = new ArrayList<>();
    List<NfsClient> connections = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      for (int i = 0; i < clients; i++) {
        NfsClient client = gateway.connect(caller);
        connections.add(client);
        NameChanger changer = new NameChanger(client, root, 100 * clients + i);
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
