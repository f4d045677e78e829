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

  /** What a job may have, and by how much what it gets may be off. */
  private static final int LIMIT_PER_SECOND = 100;

  private static final double TOO_MUCH = 1.05;
  private static final double TOO_LITTLE = 0.9;

  /** What the policy decides with, and the time in which what a limited job gets is counted. */
  private static final long PERIOD_MILLIS = 100;

  private static final long COUNTED_MILLIS = 1_000;

  private static final int TAKEOVER_SECONDS = EnduranceScale.of(2, 4);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final SluiceProcess[] gateways = new SluiceProcess[3];
  private final JumpingClock[] clocks = new JumpingClock[3];
  private final SplittableRandom random = new SplittableRandom(17);
  private final Map<Event, List<long[]>> millis = new EnumMap<>(Event.class);
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
    CUT_OFF,
    CLOCK_JUMPED;

    /** Whether the other goes on. */
    boolean moves() {
      return this != PAUSED && this != CLOCK_JUMPED;
    }
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
    int serving = 1;
    for (int i = 0; i < EVENTS; i++) {
      Event event =
          i < Event.values().length
              ? Event.values()[i]
              : Event.values()[random.nextInt(Event.values().length)];
      TimePasses.forMillis(random.nextInt(300));
      int other = 3 - serving;
      long turn = turn(serving);
      if (event == Event.CUT_OFF) {
        connectSilently();
      }
      long beganNanos = System.nanoTime();
      happens(event, serving);
      if (event.moves()) {
        Eventually.await(
            PATIENCE, "the other serves after " + event, () -> serves(other), () -> logs());
        network.moveTo(other);
      }
      long[] back = back(beganNanos);
      millis.computeIfAbsent(event, _ -> new ArrayList<>()).add(back);
      System.out.printf(
          Locale.ROOT,
          "%d %s: back after %d ms, 4.1 after %d ms, new opens after %d ms%n",
          i,
          event,
          back[0],
          back[1],
          back[2]);
      if (i < Event.values().length) {
        limitHolds(event);
      }
      if (event == Event.CUT_OFF) {
        tell("heard");
        assertThat(numbers("heard")).as("one that only waits hears that it is over").contains(-1);
      }
      if (event == Event.CLOCK_JUMPED) {
        TimePasses.forMillis(TAKEOVER_SECONDS * 1_000L);
        assertThat(serves(serving)).as("it still serves").isTrue();
        assertThat(turn(serving)).as("nobody else did").isEqualTo(turn);
      }
      if (event.moves()) {
        recover(event, serving);
        serving = other;
      }
    }
    assertThat(Cli.run("status", "-c", configuration(serving).toString()).out())
        .containsPattern("failover: gateway-" + serving + " serves, turn .*; nobody did for");
    tell("stop");
    List<String> kept = List.of(line("kept").split(" ", -1));
    System.out.println(figures() + kept.get(1) + " steps");
    System.out.println(
        "calls that were done twice: " + kept.get(2) + " of version 3, " + kept.get(3) + " of 4.1");
    millis.forEach((event, all) ->
        all.forEach(back ->
            assertThat(Arrays.stream(back).max().orElseThrow())
                .as("until version 3, 4.1 and new opens are served after " + event)
                .isLessThan(BACK_MILLIS_MAX)));
    assertThat(kept.get(2)).as("calls of version 3 that were done twice").isEqualTo("0");
    assertThat(kept.get(3)).as("calls of version 4.1 that were done twice").isEqualTo("0");
  }

  /**
   * Has a client connect that has nothing to send, so that its TCP never finds out by itself that
   * the other end is gone, and waits until the gateway has it in its list.
   */
  private void connectSilently() throws Exception {
    tell("silent");
    String link = " " + numbers("silent")[0] + " " + FailoverNetwork.FLOATING + " 2049";
    Path file = directory.resolve("shared").resolve("connections");
    Eventually.await(
        "it is known to be connected",
        () -> Files.exists(file) && Files.readString(file).contains(link));
  }

  private void tell(String what) throws IOException {
    load.outputWriter(StandardCharsets.UTF_8).append(what + "\n").flush();
  }

  /** Two periods after clients are back, a limited job has what it may have, and never more. */
  private void limitHolds(Event event) throws Exception {
    TimePasses.forMillis(2 * PERIOD_MILLIS);
    Eventually.await("the limit is reached after " + event, () -> partOfLimit(event) > TOO_LITTLE);
  }

  private double partOfLimit(Event event) throws IOException {
    tell("rate " + COUNTED_MILLIS);
    long[] counted = numbers("rate");
    double part = (counted[1] + counted[2]) / (LIMIT_PER_SECOND * (counted[0] / 1e9));
    System.out.printf(Locale.ROOT, "after %s a limited job has %.3f of its limit%n", event, part);
    assertThat(part).as("of its limit after " + event).isLessThan(TOO_MUCH);
    return part;
  }

  private void commandsSayWhoServes() {
    Cli first = Cli.run("failover", "-c", configuration(1).toString());
    assertThat(first.out()).contains("gateway-1 serves, turn 1");
    assertThat(Cli.run("status", "-c", configuration(1).toString()).out())
        .contains("failover: gateway-1 serves, turn 1, for ")
        .doesNotContain("nobody did");
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
      case CLOCK_JUMPED -> {
        clocks[serving].jump(random.nextBoolean() ? Duration.ofDays(-400) : Duration.ofDays(400));
        clocks[3 - serving].jump(Duration.ofHours(random.nextInt(-24, 24)));
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

  private void start(int gateway) throws Exception {
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
            failover: {shared: ../shared, name: gateway-%d, takeover: %d s}
            targets: {disk: {capacity: auto}}
            exports: {/export: {directory: ../export, clients: [%s], privileged-ports: false}}
            policy: {name: fair, period: %d ms}
            limits: [{name: slow, match: "user=%d", rate: %d ops/s}]
            """
                .formatted(
                    gateway,
                    TAKEOVER_SECONDS,
                    FailoverNetwork.CLIENTS,
                    PERIOD_MILLIS,
                    FailoverLoad.LIMITED,
                    LIMIT_PER_SECOND));
    clocks[gateway] = new JumpingClock(own);
    List<String> within = new ArrayList<>(network.on(gateway));
    within.addAll(clocks[gateway].within());
    gateways[gateway] =
        new SluiceProcess(within, List.of(), own.resolve("log"), "serve", "-c", file.toString());
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
    tell("back " + sinceNanos);
    return numbers("back");
  }

  private long[] numbers(String first) throws IOException {
    return Arrays.stream(line(first).split(" ", -1)).skip(1).mapToLong(Long::parseLong).toArray();
  }

  private DocumentMap ask(int gateway, String action) throws Exception {
    Path socket = directory.resolve("gateway-" + gateway).resolve("state").resolve("control.sock");
    try (CommandClient client = new CommandClient(socket)) {
      return CommandClient.read(
              client.ask("failover", json -> json.writeStringProperty("action", action)))
          .openMap();
    }
  }

  private long turn(int gateway) throws Exception {
    return ask(gateway, "status").required("epoch").whole(0, Long.MAX_VALUE);
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
    millis.forEach((event, all) ->
        text.append(
            String.format(
                Locale.ROOT,
                "%s %d times: version 3 back after %s, 4.1 after %s, new opens after %s%n",
                event,
                all.size(),
                figure(all, 0),
                figure(all, 1),
                figure(all, 2))));
    return text.toString();
  }

  private static String figure(List<long[]> all, int which) {
    long[] sorted = all.stream().mapToLong(each -> each[which]).sorted().toArray();
    return sorted[sorted.length / 2] + " ms, at most " + sorted[sorted.length - 1] + " ms";
  }
}
