package dev.sluice.app.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.app.SluiceProcess;
import dev.sluice.command.CommandClient;
import dev.sluice.document.DocumentMap;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two gateways for one export, and whatever happens to the one that serves: clients of versions 3
 * and 4.1 go on with the other, and nothing that was acknowledged is lost.
 */
@Timeout(7_200)
class FailoverTest {
  private static final int EVENTS = EnduranceScale.of(Event.values().length, 200);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Within this time clients must be served again. */
  private static final long BACK_MILLIS_MAX = 10_000;

  /**
   * The same where nobody told them that their server is gone: they find out when TCP tries again,
   * which it does after 3, 6 and 13 seconds.
   */
  private static final long BACK_FROM_SILENCE_MILLIS_MAX = 20_000;

  private static final String TAKEOVER = EnduranceScale.of(2, 4) + " s";

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final SluiceProcess[] gateways = new SluiceProcess[3];
  private final Map<Event, List<Long>> millis = new EnumMap<>(Event.class);
  private FailoverNetwork network;
  private Path directory;
  private Process load;
  private BufferedReader said;

  /** What happens to the gateway that serves. */
  private enum Event {
    HANDED_OVER,
    KILLED,
    STOPPED,
    PAUSED,
    CUT_OFF
  }

  @AfterEach
  void end() throws Exception {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }

  @Test
  void whateverHappensToOneTheOtherGoesOn(@TempDir Path temporary) throws Exception {
    directory = temporary;
    Path export = Files.createDirectory(directory.resolve("export"));
    Files.setAttribute(export, "unix:mode", 0_1777);
    network = FailoverNetwork.make();
    parts.push(network);
    start(1);
    Eventually.await("the first serves", () -> serves(1), () -> gateways[1].log());
    start(2);
    Eventually.await("the second stands by", () -> standsBy(2), () -> gateways[2].log());
    commandsSayWhoServes();
    startLoad();
    SplittableRandom random = new SplittableRandom(17);
    int serving = 1;
    for (int i = 0; i < EVENTS; i++) {
      Event event =
          i < Event.values().length
              ? Event.values()[i]
              : Event.values()[random.nextInt(Event.values().length)];
      TimePasses.forMillis(random.nextInt(300));
      int other = 3 - serving;
      long beganNanos = System.nanoTime();
      happens(event, serving);
      if (event != Event.PAUSED) {
        Eventually.await(
            PATIENCE, "the other serves after " + event, () -> serves(other), () -> logs());
        network.moveTo(other);
      }
      long[] back = back(beganNanos);
      millis.computeIfAbsent(event, _ -> new ArrayList<>()).add(Math.max(back[0], back[1]));
      System.out.println(i + " " + event + ": back after " + back[0] + " and " + back[1] + " ms");
      long most = event == Event.CUT_OFF ? BACK_FROM_SILENCE_MILLIS_MAX : BACK_MILLIS_MAX;
      assertThat(back[0]).as("version 3 after " + event).isLessThan(most);
      assertThat(back[1]).as("version 4.1 after " + event).isLessThan(most);
      if (event != Event.PAUSED) {
        recover(event, serving);
        serving = other;
      }
    }
    load.outputWriter(StandardCharsets.UTF_8).append("stop\n").flush();
    List<String> kept = List.of(line("kept").split(" ", -1));
    System.out.println(figures() + "; " + kept.get(1) + " steps");
    System.out.println(
        "calls that were done twice: " + kept.get(2) + " of version 3, " + kept.get(3) + " of 4.1");
    assertThat(kept.get(2)).as("calls of version 3 that were done twice").isEqualTo("0");
  }

  private void commandsSayWhoServes() {
    Cli first = Cli.run("failover", "-c", configuration(1).toString());
    assertThat(first.out()).contains("gateway-1 serves, turn 1");
    Cli second = Cli.run("failover", "-c", configuration(2).toString());
    assertThat(second.out()).contains("gateway-2 stands by; gateway-1 serves");
    for (int gateway = 1; gateway <= 2; gateway++) {
      Cli mayServe = Cli.run("failover", "--may-serve", "-c", configuration(gateway).toString());
      assertThat(mayServe.exitCode()).isEqualTo(gateway - 1);
      assertThat(mayServe.out() + mayServe.err()).isEmpty();
    }
    Cli nothing = Cli.run("failover", "hand-over", "-c", configuration(2).toString());
    assertThat(nothing.exitCode()).isEqualTo(2);
    assertThat(nothing.err()).contains("gateway-2 does not serve");
    Cli status = Cli.run("status", "-c", configuration(2).toString());
    assertThat(status.exitCode()).isNotZero();
    assertThat(status.err()).contains("gateway-2 stands by", "gateway-1 serves");
    assertThat(Cli.run("health", "-c", configuration(2).toString()).exitCode()).isZero();
  }

  private Path configuration(int gateway) {
    return directory.resolve("gateway-" + gateway).resolve("sluice.yaml");
  }

  private void happens(Event event, int serving) throws Exception {
    SluiceProcess gateway = gateways[serving];
    switch (event) {
      case HANDED_OVER -> ask(serving, "hand-over");
      case KILLED -> gateway.kill();
      case STOPPED -> gateway.signal("STOP");
      case PAUSED -> {
        gateway.signal("STOP");
        TimePasses.forMillis(300);
        gateway.signal("CONT");
      }
      case CUT_OFF -> {
        network.cut(serving);
        // What keepalived does when it hears nothing of the other any more.
        TimePasses.forMillis(1_000);
        ask(3 - serving, "take");
      }
    }
  }

  /** Has the one that served stand by again, as whoever looks after machines would. */
  private void recover(Event event, int gateway) throws Exception {
    switch (event) {
      case KILLED -> gateways[gateway].restart();
      case STOPPED -> {
        // Nobody woke it: the kernel has ended it at the end of its turn.
        Eventually.await("it is dead", () -> !gateways[gateway].isAlive());
        gateways[gateway].restart();
      }
      case CUT_OFF -> network.connect(gateway);
      default -> {}
    }
    assertThat(gateways[gateway].isAlive()).as(event + ":\n" + gateways[gateway].log()).isTrue();
    Eventually.await("it stands by", () -> standsBy(gateway), () -> gateways[gateway].log());
  }

  private void start(int gateway) throws IOException {
    Path own = Files.createDirectory(directory.resolve("gateway-" + gateway));
    Path file =
        Files.writeString(
            own.resolve("sluice.yaml"),
            """
            listen: 0.0.0.0
            state: state
            memory: 64 MiB
            history: off
            dashboard: off
            portmapper: off
            nfs4: {lease: 30 s}
            failover: {shared: ../shared, name: gateway-%d, takeover: %s}
            targets: {disk: {capacity: auto}}
            exports: {/export: {directory: ../export, clients: [%s], privileged-ports: false}}
            """
                .formatted(gateway, TAKEOVER, FailoverNetwork.CLIENTS));
    gateways[gateway] =
        new SluiceProcess(
            network.on(gateway), List.of(), own.resolve("log"), "serve", "-c", file.toString());
    parts.push(gateways[gateway]);
  }

  private void startLoad() throws Exception {
    List<String> command = new ArrayList<>(network.amongClients());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), FailoverLoad.class.getName()));
    command.addAll(List.of(FailoverNetwork.FLOATING, "2049", "20048"));
    load = new ProcessBuilder(command).redirectErrorStream(true).start();
    parts.push(() -> load.destroyForcibly().waitFor());
    said = load.inputReader(StandardCharsets.UTF_8);
    line("begun");
  }

  /** The next line that begins with a word; fails with all that was said if there is none. */
  private String line(String first) throws IOException {
    StringBuilder others = new StringBuilder();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith(first)) {
        return line;
      }
      others.append(line).append('\n');
    }
    throw new AssertionError("the clients have ended:\n" + others + "\n---\n" + logs());
  }

  /** How long after an instant clients of each version were served again, in milliseconds. */
  private long[] back(long sinceNanos) throws IOException {
    load.outputWriter(StandardCharsets.UTF_8).append("back " + sinceNanos + "\n").flush();
    return Arrays.stream(line("back").split(" ", -1)).skip(1).mapToLong(Long::parseLong).toArray();
  }

  private DocumentMap ask(int gateway, String action) throws Exception {
    Path socket = directory.resolve("gateway-" + gateway).resolve("state").resolve("control.sock");
    try (CommandClient client = new CommandClient(socket)) {
      return CommandClient.read(
              client.ask("failover", json -> json.writeStringProperty("action", action)))
          .openMap();
    }
  }

  private boolean serves(int gateway) {
    try {
      return ask(gateway, "status").required("serves").bool();
    } catch (Exception e) {
      // It is dead, or between two of its lives.
      return false;
    }
  }

  private boolean standsBy(int gateway) {
    try {
      return !ask(gateway, "status").required("serves").bool();
    } catch (Exception e) {
      return false;
    }
  }

  private String logs() throws IOException {
    return gateways[1].log() + "\n---\n" + gateways[2].log();
  }

  private String figures() {
    StringBuilder text = new StringBuilder();
    millis.forEach((event, all) -> {
      List<Long> sorted = all.stream().sorted().toList();
      text.append(
          String.format(
              Locale.ROOT,
              "%s %d times: back after %d ms, at most %d ms; ",
              event,
              sorted.size(),
              sorted.get(sorted.size() / 2),
              sorted.getLast()));
    });
    return text.toString();
  }
}
