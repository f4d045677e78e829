package dev.sluice.control.measure;

import dev.sluice.control.access.KeyFiles;
import dev.sluice.control.access.MemberAuthenticator;
import dev.sluice.control.aggregator.Aggregator;
import dev.sluice.control.aggregator.AggregatorOptions;
import dev.sluice.control.controller.Controller;
import dev.sluice.control.controller.ControllerOptions;
import dev.sluice.control.controller.Cycle;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.control.settings.ControlSettings;
import dev.sluice.control.settings.SharedResource;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.store.lease.LeaderMemory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures how long a control cycle takes, over real connections on loopback: a controller in a
 * process of its own, aggregators in another where there are some, and all nodes in a third. With
 * no pause between cycles, a cycle is the time from orders to the next orders: they go out, every
 * node reports, and it is decided what to order next.
 */
public final class CycleBenchmark {
  private static final long WAIT_NANOS = 600_000_000_000L;

  /**
   * What is promised.
   *
   * @param cpuMicros of the controller's own process; 0 where nothing is promised
   */
  private record Bar(int agents, int aggregators, long cycleMicros, long cpuMicros) {}

  private static final List<Bar> BARS =
      List.of(
          new Bar(1, 0, 250, 0),
          new Bar(40, 0, 1_500, 0),
          new Bar(1_000, 0, 25_000, 8_000),
          new Bar(1_000, 4, 25_000, 8_000),
          new Bar(10_000, 20, 200_000, 0));

  private CycleBenchmark() {}

  /**
   * Runs as one of the processes, or starts them all.
   *
   * @param arguments {@code all SECONDS [AGENTS …]}, or what it starts itself with
   */
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "all" -> all(arguments);
      case "controller" ->
          controller(
              Integer.parseInt(arguments[1]),
              Integer.parseInt(arguments[2]),
              Long.parseLong(arguments[3]));
      case "aggregators" -> aggregators(Integer.parseInt(arguments[1]), arguments[2]);
      case "simulated-aggregators" ->
          simulatedAggregators(
              Integer.parseInt(arguments[1]),
              Integer.parseInt(arguments[2]),
              Integer.parseInt(arguments[3]));
      case "hub" -> hub(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
      case "answerers" ->
          BareExchange.answer(
              Integer.parseInt(arguments[1]), loopback(Integer.parseInt(arguments[2])));
      case "nodes" -> nodes(Integer.parseInt(arguments[1]), arguments[2], arguments[3]);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void all(String[] arguments) throws Exception {
    int seconds = Integer.parseInt(arguments[1]);
    List<Integer> wanted = new ArrayList<>();
    for (int i = 2; i < arguments.length; i++) {
      wanted.add(Integer.parseInt(arguments[i]));
    }
    System.out.printf(
        Locale.ROOT,
        "%8s %12s %14s %14s %14s %14s %12s%n",
        "agents",
        "aggregators",
        "cycle median",
        "cycle p99",
        "bar",
        "CPU per cycle",
        "memory");
    for (Bar bar : BARS) {
      if (wanted.isEmpty() || wanted.contains(bar.agents)) {
        measure(bar, seconds);
      }
    }
    for (int agents : List.of(1_000, 10_000)) {
      if (wanted.isEmpty() || wanted.contains(agents)) {
        measureBare(agents, seconds);
      }
    }
    if (wanted.isEmpty() || wanted.contains(1_000)) {
      measureResting(1_000, 0, seconds);
    }
    if (wanted.isEmpty() || wanted.contains(10_000)) {
      measureResting(10_000, 20, seconds);
    }
  }

  private static void measure(Bar bar, int seconds) throws Exception {
    int aggregators = bar.aggregators;
    Map<String, Double> figures = run(bar.agents, aggregators, seconds, 0, "busy");
    double median = figures.getOrDefault("median", Double.NaN);
    double cpu = figures.getOrDefault("cpu", Double.NaN);
    System.out.printf(
        Locale.ROOT,
        "%8d %12d %11.0f us %11.0f us %8d us %s %11.0f us %9.0f MB%s%n",
        bar.agents,
        aggregators,
        median,
        figures.getOrDefault("p99", Double.NaN),
        bar.cycleMicros,
        median <= bar.cycleMicros ? "ok  " : "MISS",
        cpu,
        figures.getOrDefault("memory", Double.NaN) / 1e6,
        bar.cpuMicros == 0
            ? ""
            : "  (CPU bar "
                + bar.cpuMicros
                + " us "
                + (cpu <= bar.cpuMicros ? "ok" : "MISS")
                + ")");
  }

  /**
   * What a cycle takes of a controller behind so many aggregators that stand for so many nodes:
   * {@code median} and {@code cpu} in microseconds, {@code memory} in bytes.
   */
  public static Map<String, Double> behindSimulatedAggregators(
      int agents, int aggregators, int seconds) throws Exception {
    return run(
        List.of(
            List.of("controller", "" + agents, "" + seconds, "0"),
            List.of("simulated-aggregators", "" + agents, "" + aggregators)));
  }

  private static void measureBare(int agents, int seconds) throws Exception {
    Map<String, Double> figures =
        run(List.of(List.of("hub", "" + agents, "" + seconds), List.of("answerers", "" + agents)));
    System.out.printf(
        Locale.ROOT,
        "%8d %12s %11.0f us %11.0f us %16s %14.0f us  (no protocol, nothing decided: sockets"
            + " alone)%n",
        agents,
        "bare",
        figures.getOrDefault("median", Double.NaN),
        figures.getOrDefault("p99", Double.NaN),
        "",
        figures.getOrDefault("cpu", Double.NaN));
  }

  /** What nodes cost, once a second, that have nothing to say, or something else each time. */
  private static void measureResting(int agents, int aggregators, int seconds) throws Exception {
    for (String mode : List.of("idle", "busy")) {
      Map<String, Double> figures = run(agents, aggregators, 2 * seconds, 1_000_000_000L, mode);
      double nodeSeconds = agents * figures.getOrDefault("seconds", Double.NaN);
      System.out.printf(
          Locale.ROOT,
          "%d nodes, %d aggregators, %s, a period of 1 s; per node and second: %.0f bytes on the"
              + " wire%s, CPU %.1f us of the controller, %.1f us of aggregators, %.1f us of"
              + " nodes%n",
          agents,
          aggregators,
          mode,
          figures.getOrDefault("moved", Double.NaN) / nodeSeconds,
          mode.equals("idle") && aggregators == 0 ? " (bar 106)" : "",
          figures.getOrDefault("cpu-all", Double.NaN) / nodeSeconds,
          figures.getOrDefault("between-cpu", Double.NaN) / nodeSeconds,
          figures.getOrDefault("nodes-cpu", Double.NaN) / nodeSeconds);
    }
  }

  private static Map<String, Double> run(
      int agents, int aggregators, int seconds, long periodNanos, String mode) throws Exception {
    List<List<String>> programs = new ArrayList<>();
    programs.add(List.of("controller", "" + agents, "" + seconds, "" + periodNanos));
    if (aggregators > 0) {
      programs.add(List.of("aggregators", "" + aggregators));
    }
    programs.add(List.of("nodes", "" + agents, mode));
    return run(programs);
  }

  /**
   * Starts a process for each, which is told where the one before it listens; answers what the
   * first one measured.
   */
  private static Map<String, Double> run(List<List<String>> programs) throws Exception {
    List<Process> started = new ArrayList<>();
    try {
      Process first = start(programs.getFirst());
      started.add(first);
      BufferedReader said = output(first);
      String ports = value(said.readLine());
      for (List<String> program : programs.subList(1, programs.size())) {
        List<String> told = new ArrayList<>(program);
        told.add(ports);
        Process next = start(told);
        started.add(next);
        if (!program.equals(programs.getLast())) {
          ports = value(output(next).readLine());
        }
      }
      Map<String, Double> figures = new HashMap<>();
      List<Process> between = started.subList(1, started.size() - 1);
      long nodesCpuMicros = 0;
      long betweenCpuMicros = 0;
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("begin")) {
          nodesCpuMicros = cpuMicros(started.getLast());
          betweenCpuMicros = cpuMicros(between);
        } else {
          figures.put(words[0], Double.parseDouble(words[1]));
        }
      }
      figures.put("nodes-cpu", (double) (cpuMicros(started.getLast()) - nodesCpuMicros));
      figures.put("between-cpu", (double) (cpuMicros(between) - betweenCpuMicros));
      return figures;
    } finally {
      for (Process process : started) {
        process.destroy();
        process.waitFor();
      }
    }
  }

  private static long cpuMicros(Process process) {
    return process.info().totalCpuDuration().orElseThrow().toNanos() / 1_000;
  }

  private static long cpuMicros(List<Process> processes) {
    return processes.stream().mapToLong(CycleBenchmark::cpuMicros).sum();
  }

  private static BufferedReader output(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private static String value(String line) {
    if (line == null) {
      throw new IllegalStateException("a process ended before it said where it listens");
    }
    return line.substring(line.indexOf(' ') + 1);
  }

  private static Process start(List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseSerialGC",
                "-Xmx" + (arguments.getFirst().equals("nodes") ? "3g" : "400m"),
                "-cp",
                System.getProperty("java.class.path"),
                CycleBenchmark.class.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static void controller(int agents, int seconds, long periodNanos) throws Exception {
    ControlSettings settings =
        new ControlSettings(
            1,
            List.of(
                new SharedResource(
                    new LimitKey("metadata", Counted.OPERATIONS),
                    110_000,
                    "psfa",
                    Map.of(),
                    Map.of())),
            List.of());
    Recorder recorder = new Recorder(agents);
    // Without a pause, limits would lapse at once; with one, they do as they usually do.
    long lapseNanos = periodNanos == 0 ? 60_000_000_000L : 5 * periodNanos;
    ControllerOptions options =
        new ControllerOptions(loopback(0), null, periodNanos, 5_000_000_000L, lapseNanos, 20_000);
    try (Controller controller =
        new Controller(
            options,
            _ -> settings,
            Leadership.alone(1),
            MemberAuthenticator.TRUSTING,
            recorder::told)) {
      System.out.println("port " + controller.port());
      recorder.awaitAll();
      // Long enough for the compiler to have seen every path.
      Thread.sleep(1_000L * Math.max(3, seconds));
      System.out.println("begin 0");
      recorder.begin();
      Thread.sleep(1_000L * seconds);
      recorder.print();
    }
    System.exit(0);
  }

  private static void hub(int nodes, int seconds) throws IOException {
    Recorder recorder = new Recorder(nodes);
    try (BareExchange.Hub hub = new BareExchange.Hub()) {
      System.out.println("port " + hub.port());
      hub.await(nodes);
      cycle(hub, recorder, seconds);
      recorder.begin();
      cycle(hub, recorder, seconds);
      recorder.print();
    }
  }

  private static void cycle(BareExchange.Hub hub, Recorder recorder, int seconds)
      throws IOException {
    long began = System.nanoTime();
    long now = began;
    while (now - began < 1_000_000_000L * seconds) {
      hub.cycle();
      long next = System.nanoTime();
      recorder.took(next - now);
      now = next;
    }
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static void aggregators(int count, String port) throws Exception {
    StringBuilder ports = new StringBuilder("ports");
    for (int i = 0; i < count; i++) {
      Aggregator aggregator =
          new Aggregator(
              new AggregatorOptions(
                  "aggregator-" + i, "simulated", loopback(0), null, 5_000_000_000L, 20_000),
              ControllerLink.Addresses.local(loopback(Integer.parseInt(port))),
              KeyFiles.ofAggregator(null, "aggregator-" + i),
              new Random(i),
              LeaderMemory.NONE);
      ports.append(i == 0 ? " " : ",").append(aggregator.port());
    }
    System.out.println(ports);
    Thread.sleep(Long.MAX_VALUE);
  }

  private static void simulatedAggregators(int agents, int count, int port) throws Exception {
    NettyLoop loop = new NettyLoop("aggregators");
    for (int i = 0; i < count; i++) {
      int share = agents / count + (i < agents % count ? 1 : 0);
      new SimulatedAggregator(i, share, loopback(port), loop).start();
    }
    Thread.sleep(Long.MAX_VALUE);
  }

  private static void nodes(int count, String mode, String ports) throws Exception {
    String[] all = ports.split(",", -1);
    SimulatedNodes nodes = new SimulatedNodes(mode.equals("busy"));
    for (int i = 0; i < all.length; i++) {
      int share = count / all.length + (i < count % all.length ? 1 : 0);
      nodes.connect(share, loopback(Integer.parseInt(all[i])));
      // Ten thousand at once would be refused by the operating system, not by us.
      Thread.sleep(all.length > 1 ? 200 : 0);
    }
    Thread.sleep(Long.MAX_VALUE);
  }

  /** Notes how long cycles with all agents took. */
  private static final class Recorder {
    private final int agents;
    private final AtomicInteger connected = new AtomicInteger();
    private final List<Long> micros = new ArrayList<>();
    private boolean measuring;
    private long beganNanos;
    private long cpuNanos;
    private long bytes;

    Recorder(int agents) {
      this.agents = agents;
    }

    synchronized void told(Cycle cycle) {
      connected.set(cycle.agents());
      took(cycle.toldNanos() - cycle.beganNanos());
    }

    synchronized void took(long nanos) {
      if (measuring) {
        micros.add(nanos / 1_000);
      }
    }

    void awaitAll() throws InterruptedException {
      long began = System.nanoTime();
      while (connected.get() < agents) {
        if (System.nanoTime() - began > WAIT_NANOS) {
          throw new IllegalStateException(
              "only " + connected.get() + " of " + agents + " agents are connected");
        }
        Thread.sleep(50);
      }
    }

    synchronized void begin() throws IOException {
      measuring = true;
      beganNanos = System.nanoTime();
      cpuNanos = cpuNanos();
      bytes = loopbackBytes();
    }

    synchronized void print() throws IOException {
      long cpu = cpuNanos() - cpuNanos;
      long moved = loopbackBytes() - bytes;
      int cycles = Math.max(1, micros.size());
      micros.sort(null);
      if (micros.isEmpty()) {
        throw new IllegalStateException("no cycle was measured");
      }
      System.out.println("median " + micros.get(micros.size() / 2));
      System.out.println("p99 " + micros.get((int) (micros.size() * 0.99)));
      System.out.println("cpu " + cpu / 1_000 / cycles);
      System.out.println("memory " + memoryBytes());
      System.out.println("cpu-all " + cpu / 1_000);
      System.out.println("moved " + moved);
      System.out.println("seconds " + (System.nanoTime() - beganNanos) / 1e9);
      System.out.println("cycles " + cycles);
    }

    private static long cpuNanos() {
      return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    }

    /** The most that this process had in memory. */
    private static long memoryBytes() throws IOException {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmHWM:")) {
          return 1_024 * Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
      return 0;
    }

    /** What went over loopback, with all headers; ours alone in a network namespace of our own. */
    private static long loopbackBytes() throws IOException {
      for (String line : Files.readAllLines(Path.of("/proc/net/dev"))) {
        if (line.strip().startsWith("lo:")) {
          return Long.parseLong(line.strip().split("[:\\s]+", -1)[1]);
        }
      }
      return 0;
    }
  }
}
