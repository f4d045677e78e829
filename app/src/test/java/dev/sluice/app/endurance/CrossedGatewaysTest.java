package dev.sluice.app.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.SluiceProcess;
import dev.sluice.command.CommandClient;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two machines and two exports: each machine serves one of them and stands by for the other's, with
 * a process for each. Where one dies, the other serves both; nothing that was acknowledged is lost,
 * and a limit that is for both exports together stays exact.
 */
@Timeout(1_800)
class CrossedGatewaysTest {
  private static final int DEATHS = EnduranceScale.of(1, 20);

  /** What a job may have over both exports; each gateway holds half of it. */
  private static final int LIMIT_PER_SECOND = 200;

  private static final double TOO_MUCH = 1.05;
  private static final double TOO_LITTLE = 0.9;
  private static final long BACK_MILLIS_MAX = 10_000;
  private static final long PERIOD_MILLIS = 100;
  private static final long COUNTED_MILLIS = 1_000;

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final List<Pair> pairs = new ArrayList<>();
  private FailoverNetwork network;

  /** Two gateways for the same export, one on each machine, and clients that come to them. */
  private final class Pair {
    final Path directory;
    final String address;
    final int nfsPort;
    final SluiceProcess[] gateways = new SluiceProcess[3];
    Process load;
    BufferedReader said;

    Pair(Path directory, String address, int nfsPort, int first) throws Exception {
      this.directory = Files.createDirectory(directory);
      this.address = address;
      this.nfsPort = nfsPort;
      Path export = Files.createDirectory(directory.resolve("export"));
      Files.setAttribute(export, "unix:mode", 0_1777);
      network.move(address, first);
      start(first);
      Eventually.await("it serves " + address, () -> serves(first), () -> gateways[first].log());
      start(3 - first);
      awaitStandBy(3 - first);
      startLoad();
    }

    private void start(int machine) throws IOException {
      Path own = Files.createDirectory(directory.resolve("gateway-" + machine));
      Path file =
          Files.writeString(
              own.resolve("sluice.yaml"),
              """
              listen: 0.0.0.0
              nfs-port: %d
              mount-port: %d
              state: state
              memory: 64 MiB
              history: off
              dashboard: off
              portmapper: off
              nfs4: {lease: 30 s}
              failover: {shared: ../shared, name: gateway-%d, takeover: 2 s}
              targets: {disk: {capacity: auto}}
              exports: {/export: {directory: ../export, clients: [%s], privileged-ports: false}}
              policy: {name: fair, period: %d ms}
              limits: [{name: slow, match: "user=%d", rate: %d ops/s, gateways: 2}]
              """
                  .formatted(
                      nfsPort,
                      nfsPort + 1,
                      machine,
                      FailoverNetwork.CLIENTS,
                      PERIOD_MILLIS,
                      FailoverLoad.LIMITED,
                      LIMIT_PER_SECOND));
      gateways[machine] =
          new SluiceProcess(
              network.on(machine), List.of(), own.resolve("log"), "serve", "-c", file.toString());
      parts.push(gateways[machine]);
    }

    private void startLoad() throws Exception {
      List<String> command = new ArrayList<>(network.amongClients());
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp"));
      command.addAll(List.of(System.getProperty("java.class.path"), FailoverLoad.class.getName()));
      command.addAll(List.of(address, "" + nfsPort, "" + (nfsPort + 1)));
      load = new ProcessBuilder(command).redirectErrorStream(true).start();
      parts.push(() -> load.destroyForcibly().waitFor());
      said = load.inputReader(StandardCharsets.UTF_8);
      line("begun");
    }

    boolean ask(int machine, String action) throws Exception {
      Path socket = directory.resolve("gateway-" + machine).resolve("state/control.sock");
      try (CommandClient client = new CommandClient(socket)) {
        return CommandClient.read(
                client.ask("failover", json -> json.writeStringProperty("action", action)))
            .openMap()
            .required("serves")
            .bool();
      }
    }

    boolean serves(int machine) {
      try {
        return ask(machine, "status");
      } catch (Exception e) {
        // It is dead, or between two of its lives.
        return false;
      }
    }

    void awaitStandBy(int machine) throws Exception {
      Eventually.await(
          "it stands by",
          () -> {
            try {
              return !ask(machine, "status");
            } catch (Exception e) {
              return false;
            }
          },
          () -> gateways[machine].log());
    }

    /** Waits until the other machine serves this export, and gives it the address. */
    void takenOver(int machine) throws Exception {
      Eventually.await(
          "the other serves " + address, () -> serves(machine), () -> gateways[machine].log());
      network.move(address, machine);
    }

    void tell(String what) throws IOException {
      load.outputWriter(StandardCharsets.UTF_8).append(what + "\n").flush();
    }

    String line(String first) throws IOException {
      StringBuilder others = new StringBuilder();
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        if (line.startsWith(first)) {
          return line;
        }
        others.append(line).append('\n');
      }
      throw new AssertionError("the clients have ended:\n" + others);
    }

    long[] numbers(String first) throws IOException {
      return Arrays.stream(line(first).split(" ", -1)).skip(1).mapToLong(Long::parseLong).toArray();
    }
  }

  @AfterEach
  void end() throws Exception {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }

  /** Both at once, since it is what they have together that is limited. */
  private double partOfLimit(String when) throws IOException {
    for (Pair pair : pairs) {
      pair.tell("rate " + COUNTED_MILLIS);
    }
    double part = 0;
    for (Pair pair : pairs) {
      long[] counted = pair.numbers("rate");
      part += (counted[1] + counted[2]) / (LIMIT_PER_SECOND * (counted[0] / 1e9));
    }
    System.out.printf(Locale.ROOT, "%s a job has %.3f of its limit over both%n", when, part);
    assertThat(part).as("of its limit " + when).isLessThan(TOO_MUCH);
    return part;
  }

  private void limitHolds(String when) throws Exception {
    TimePasses.forMillis(2 * PERIOD_MILLIS);
    Eventually.await("the limit is reached " + when, () -> partOfLimit(when) > TOO_LITTLE);
  }

  @Test
  void eachServesOneExportAndBothWhereTheOtherDies(@TempDir Path directory) throws Exception {
    network = FailoverNetwork.make();
    parts.push(network);
    pairs.add(new Pair(directory.resolve("one"), FailoverNetwork.FLOATING, 2049, 1));
    pairs.add(new Pair(directory.resolve("two"), FailoverNetwork.FLOATING_TOO, 3049, 2));
    limitHolds("while each serves one");
    for (int death = 0; death < DEATHS; death++) {
      int dies = 1 + death % 2;
      int stays = 3 - dies;
      long beganNanos = System.nanoTime();
      for (Pair pair : pairs) {
        pair.gateways[dies].kill();
      }
      Pair own = pairs.get(dies - 1);
      own.takenOver(stays);
      own.tell("back " + beganNanos);
      long[] back = own.numbers("back");
      System.out.printf(
          Locale.ROOT,
          "machine %d died: %s is back after %d ms, 4.1 after %d ms, new opens after %d ms%n",
          dies,
          own.address,
          back[0],
          back[1],
          back[2]);
      assertThat(Arrays.stream(back).max().orElseThrow()).isLessThan(BACK_MILLIS_MAX);
      assertThat(pairs).allMatch(pair -> pair.serves(stays));
      limitHolds("while one serves both");
      // Back again, it stands by for both; then its own export is handed back to it.
      for (Pair pair : pairs) {
        pair.gateways[dies].restart();
      }
      for (Pair pair : pairs) {
        pair.awaitStandBy(dies);
      }
      own.ask(stays, "hand-over");
      own.takenOver(dies);
      limitHolds("when each serves one again");
    }
    for (Pair pair : pairs) {
      pair.tell("stop");
      List<String> kept = List.of(pair.line("kept").split(" ", -1));
      System.out.println(pair.address + ": " + kept.get(1) + " steps, and nothing is lost");
      assertThat(kept.subList(2, 4)).as("calls that were done twice").containsExactly("0", "0");
    }
  }
}
