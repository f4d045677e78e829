package dev.sluice.sim.scenario;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.OperationClass;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.text.Suggestion;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what the processes of a job do. */
final class ProcessesReader {
  /** As many as a Lustre client keeps in flight to one target. */
  static final int DEFAULT_WINDOW = 8;

  static final long DEFAULT_REQUEST_BYTES = 1 << 20;
  static final long DEFAULT_STRIPE_BYTES = 1 << 20;
  private static final long STRIPE_BYTES_MIN = 4_000;

  private static final List<String> WORKLOADS =
      List.of("sequential", "bursts", "phases", "metadata", "open-loop", "trace");

  private static final FileLayout ONE_STRIPE =
      new FileLayout(FileLayout.Placement.ROUND_ROBIN, 1, DEFAULT_STRIPE_BYTES, List.of());

  private final long endNanos;
  private final TargetNames targets;
  private final Traces traces;

  ProcessesReader(long endNanos, TargetNames targets, Traces traces) {
    this.endNanos = endNanos;
    this.targets = targets;
    this.traces = traces;
  }

  /** A list of groups, or one group. */
  List<ProcessGroup> read(DocumentNode node, String job) {
    List<ProcessGroup> groups = new ArrayList<>();
    List<DocumentNode> items = node.isMap() ? List.of(node) : node.list();
    for (DocumentNode item : items) {
      ProcessGroup group = group(item, job);
      checkInStep(item, group, groups);
      groups.add(group);
    }
    if (groups.isEmpty()) {
      throw node.error("expected at least one group of processes");
    }
    return groups;
  }

  /** The phases of a job are one rhythm: they can differ in the I/O of a phase, not in its time. */
  private static void checkInStep(
      DocumentNode item, ProcessGroup group, List<ProcessGroup> earlier) {
    for (ProcessGroup other : earlier) {
      if (group.workload() instanceof Workload.Phases mine
          && other.workload() instanceof Workload.Phases theirs
          && (mine.iterations() != theirs.iterations()
              || mine.computeNanos() != theirs.computeNanos()
              || mine.jitter() != theirs.jitter())) {
        throw item.error(
            "expected the iterations, compute and jitter of the job's other phases: all its"
                + " processes wait for each other");
      }
    }
  }

  private ProcessGroup group(DocumentNode node, String job) {
    DocumentMap map =
        node.map(
            "count",
            "window",
            "delay",
            "spread",
            "layout",
            "sequential",
            "bursts",
            "phases",
            "metadata",
            "open-loop",
            "trace");
    DocumentNode count = map.optional("count");
    DocumentNode delay = map.optional("delay");
    DocumentNode spread = map.optional("spread");
    Workload workload = workload(map, node, job);
    return new ProcessGroup(
        count == null ? 1 : (int) count.whole(1, Limits.PROCESSES_MAX),
        delay == null ? 0 : delay.durationNanos(0, endNanos),
        spread == null ? 0 : spread.durationNanos(0, endNanos),
        window(map, workload),
        workload,
        layout(map, workload));
  }

  private Workload workload(DocumentMap map, DocumentNode node, String job) {
    List<String> found = map.entries().keySet().stream().filter(WORKLOADS::contains).toList();
    if (found.isEmpty()) {
      throw node.error("expected what they do: one of " + String.join(", ", WORKLOADS));
    }
    if (found.size() > 1) {
      throw map.keyError(
          found.get(1), "a process does one thing, and there is \"" + found.get(0) + "\" already");
    }
    DocumentNode work = map.required(found.get(0));
    return switch (found.get(0)) {
      case "sequential" -> sequential(work);
      case "bursts" -> bursts(work);
      case "phases" -> phases(work);
      case "metadata" -> metadata(work);
      case "open-loop" -> openLoop(work);
      default -> trace(work, job);
    };
  }

  private static int window(DocumentMap map, Workload workload) {
    DocumentNode node = map.optional("window");
    boolean open =
        switch (workload) {
          case Workload.OpenLoop _ -> true;
          case Workload.Replay _ -> true;
          case Workload.MetadataMix mix -> mix.operationsPerSecond() > 0;
          default -> false;
        };
    if (node != null && open) {
      throw map.keyError(
          "window", "expected no window: these requests come at their times, done or not");
    }
    return node == null ? DEFAULT_WINDOW : (int) node.whole(1, Limits.WINDOW_MAX);
  }

  private static Workload sequential(DocumentNode node) {
    DocumentMap map = node.map("operation", "file", "request");
    long bytes = map.required("file").bytes(1, Limits.FILE_BYTES_MAX);
    return new Workload.Sequential(operation(map), bytes, request(map, bytes, "file"));
  }

  private Workload bursts(DocumentNode node) {
    DocumentMap map = node.map("operation", "file", "burst", "request", "every", "jitter");
    DocumentNode file = map.optional("file");
    long bytes = file == null ? Long.MAX_VALUE : file.bytes(1, Limits.FILE_BYTES_MAX);
    DocumentNode burst = map.required("burst");
    long burstBytes = burst.bytes(1, Limits.FILE_BYTES_MAX);
    if (burstBytes > bytes) {
      throw burst.error(
          "expected at most the file's size, " + Quantities.formatBytes((double) bytes));
    }
    return new Workload.Bursts(
        operation(map),
        bytes,
        burstBytes,
        request(map, burstBytes, "burst"),
        map.required("every").durationNanos(Limits.TIME_NANOS_MIN, endNanos),
        jitter(map));
  }

  private static Workload phases(DocumentNode node) {
    DocumentMap map = node.map("iterations", "compute", "jitter", "write", "read", "request");
    DocumentNode iterations = map.optional("iterations");
    boolean reads = map.optional("read") != null;
    if (reads && map.optional("write") != null) {
      throw map.keyError("read", "expected either read or write, not both");
    }
    long bytes = map.required(reads ? "read" : "write").bytes(1, Limits.FILE_BYTES_MAX);
    return new Workload.Phases(
        iterations == null
            ? Limits.ITERATIONS_MAX
            : (int) iterations.whole(1, Limits.ITERATIONS_MAX),
        map.required("compute").durationNanos(0, Limits.TIME_NANOS_MAX),
        jitter(map),
        reads ? Operation.READ : Operation.WRITE,
        bytes,
        request(map, bytes, reads ? "read" : "write"));
  }

  private static Workload metadata(DocumentNode node) {
    DocumentMap map = node.map("mix", "operations", "rate");
    DocumentNode mixNode = map.required("mix");
    DocumentMap mix = mixNode.openMap();
    List<String> known =
        Arrays.stream(Operation.values())
            .filter(operation -> operation.operationClass() != OperationClass.DATA)
            .map(Operation::text)
            .toList();
    Map<Operation, Integer> weights = new EnumMap<>(Operation.class);
    for (Operation operation : Operation.values()) {
      DocumentNode weight = mix.optional(operation.text());
      if (weight != null && known.contains(operation.text())) {
        weights.put(operation, (int) weight.whole(1, Limits.WEIGHT_MAX));
      }
    }
    for (String name : mix.entries().keySet()) {
      if (!known.contains(name)) {
        throw mix.keyError(
            name, "expected one of " + String.join(", ", known) + Suggestion.of(name, known));
      }
    }
    if (weights.isEmpty()) {
      throw mixNode.error("expected at least one operation and its weight");
    }
    DocumentNode rate = map.optional("rate");
    return new Workload.MetadataMix(
        weights, countOrEndless(map.optional("operations")), rate == null ? 0 : perSecond(rate, 0));
  }

  private static Workload openLoop(DocumentNode node) {
    DocumentMap map = node.map("operation", "request", "rate", "spacing", "requests");
    DocumentNode requestNode = map.optional("request");
    long requestBytes =
        requestNode == null ? DEFAULT_REQUEST_BYTES : requestNode.bytes(1, Request.COST_MAX);
    DocumentNode spacing = map.optional("spacing");
    return new Workload.OpenLoop(
        operation(map),
        requestBytes,
        perSecond(map.required("rate"), requestBytes),
        spacing != null && spacing.oneOf(List.of("random", "regular")).equals("regular"),
        countOrEndless(map.optional("requests")));
  }

  private Workload trace(DocumentNode node, String job) {
    DocumentMap map = node.map("file", "job");
    DocumentNode file = map.required("file");
    Map<JobId, List<Workload.TraceLine>> byJob = traces.byJob(file);
    DocumentNode jobNode = map.optional("job");
    JobId id = jobNode == null ? JobId.of(job) : jobNode.parsed(JobId::of);
    List<Workload.TraceLine> lines = byJob.get(id);
    if (lines == null) {
      List<String> known = byJob.keySet().stream().map(JobId::toString).toList();
      throw (jobNode == null ? file : jobNode)
          .error(
              "there is no request of job \""
                  + id
                  + "\" in the trace"
                  + Suggestion.of(id.toString(), known));
    }
    return new Workload.Replay(lines);
  }

  /** One process that does what was recorded. */
  static ProcessGroup replay(List<Workload.TraceLine> lines) {
    return new ProcessGroup(1, 0, DEFAULT_WINDOW, new Workload.Replay(lines), ONE_STRIPE);
  }

  /** Requests a second; for a rate in bytes, as many as make it up. */
  private static double perSecond(DocumentNode node, long requestBytes) {
    Quantities.CountedRate rate = node.rate();
    boolean inBytes = rate.counted() == Quantities.Counted.BYTES;
    if (rate.perSecond() < 1
        || rate.perSecond() > Limits.COUNT_MAX
        || rate.counted() == Quantities.Counted.TOKENS
        || (inBytes && requestBytes == 0)) {
      throw node.error(
          requestBytes == 0
              ? "expected a rate such as 200 ops/s or 20 kops/s"
              : "expected a rate such as 200 ops/s or 50 MB/s");
    }
    return inBytes ? (double) rate.perSecond() / requestBytes : (double) rate.perSecond();
  }

  private static long countOrEndless(@Nullable DocumentNode node) {
    return node == null ? Long.MAX_VALUE : node.whole(1, Limits.COUNT_MAX);
  }

  private static Operation operation(DocumentMap map) {
    DocumentNode node = map.optional("operation");
    return node != null && node.oneOf(List.of("read", "write")).equals("read")
        ? Operation.READ
        : Operation.WRITE;
  }

  private static double jitter(DocumentMap map) {
    DocumentNode node = map.optional("jitter");
    return node == null ? 0 : node.number(0, 1);
  }

  private static long request(DocumentMap map, long wholeBytes, String wholeName) {
    DocumentNode node = map.optional("request");
    if (node == null) {
      return Math.min(DEFAULT_REQUEST_BYTES, wholeBytes);
    }
    long bytes = node.bytes(1, Request.COST_MAX);
    if (bytes > wholeBytes) {
      throw node.error(
          "expected at most the size of "
              + wholeName
              + ", "
              + Quantities.formatBytes((double) wholeBytes));
    }
    return bytes;
  }

  private FileLayout layout(DocumentMap group, Workload workload) {
    DocumentNode node = group.optional("layout");
    if (node == null) {
      return ONE_STRIPE;
    }
    if (workload instanceof Workload.Replay) {
      throw group.keyError("layout", "expected no layout: the trace names the targets");
    }
    DocumentMap map = node.map("stripes", "stripe-size", "placement", "targets");
    DocumentNode listNode = map.optional("targets");
    List<String> given = listNode == null ? List.of() : given(listNode);
    DocumentNode placementNode = map.optional("placement");
    FileLayout.Placement placement =
        ScenarioReader.wordOr(
            placementNode,
            listNode == null ? FileLayout.Placement.ROUND_ROBIN : FileLayout.Placement.GIVEN);
    if (placementNode != null && (placement == FileLayout.Placement.GIVEN) != (listNode != null)) {
      throw placementNode.error(
          listNode == null
              ? "expected the key \"targets\" beside it"
              : "expected given, since there are targets");
    }
    DocumentNode stripeSize = map.optional("stripe-size");
    return new FileLayout(
        placement,
        stripes(map.optional("stripes"), given),
        stripeSize == null
            ? DEFAULT_STRIPE_BYTES
            : stripeSize.bytes(STRIPE_BYTES_MIN, Limits.FILE_BYTES_MAX),
        given);
  }

  private int stripes(@Nullable DocumentNode node, List<String> given) {
    int most = given.isEmpty() ? targets.count() : given.size();
    if (node == null) {
      return given.isEmpty() ? 1 : most;
    }
    if (node.text().equals("all")) {
      return most;
    }
    return node.parsed(text -> {
      if (!text.matches("[0-9]{1,9}")
          || Integer.parseInt(text) < 1
          || Integer.parseInt(text) > most) {
        throw new IllegalArgumentException(
            "expected all, or a whole number from 1 to " + most + ", the number of targets");
      }
      return Integer.parseInt(text);
    });
  }

  private List<String> given(DocumentNode list) {
    List<String> names = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (DocumentNode item : list.list()) {
      String name = targets.known(item.text());
      if (name == null) {
        throw item.error(targets.expected(item.text()));
      }
      if (!seen.add(name)) {
        throw item.error("the target is there already");
      }
      names.add(name);
    }
    if (names.isEmpty()) {
      throw list.error("expected at least one target");
    }
    return names;
  }
}
