package dev.sluice.sim.scenario;

import dev.sluice.core.model.Target;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.document.LimitsReader;
import dev.sluice.document.PromisesReader;
import dev.sluice.document.ShareGroupingReader;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads scenario files; docs/scenarios.md describes them. Whatever is wrong is a {@link
 * DocumentException} that names its place.
 */
public final class ScenarioReader {
  /** What a site knows, the baseline and ours: every scenario can be run under these. */
  private static final List<String> POLICIES_UNLESS_SAID =
      List.of("none", "static", "fair", "adaptbf");

  /** How often timelines take a sample unless the file says otherwise. */
  public static final long DEFAULT_SAMPLE_NANOS = 100_000_000;

  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";
  private static final String NAME_EXPECTED =
      "expected a name of 1 to 64 letters, digits, dots, dashes and underscores";

  private final DocumentMap map;
  private final Path directory;
  private final long seed;

  private ScenarioReader(DocumentNode root, Path directory, long seed) {
    this.map =
        root.map(
            "name",
            "description",
            "mode",
            "end",
            "sample",
            "period",
            "policies",
            "targets",
            "cluster",
            "connections",
            "nconnect",
            "shares",
            "guarantees",
            "goals",
            "limits",
            "jobs",
            "trace");
    this.directory = directory;
    this.seed = seed;
  }

  /**
   * Reads a file, or standard input for {@code -}.
   *
   * @param seed where random arrivals come from: the same file and seed give the same scenario
   */
  public static Scenario read(String file, InputStream standardInput, long seed) {
    DocumentNode root = Documents.read(file, standardInput);
    if (file.equals("-")) {
      return new ScenarioReader(root, Path.of(""), seed).scenario("scenario");
    }
    Path path = Path.of(file);
    Path parent = path.getParent();
    return new ScenarioReader(root, parent == null ? Path.of("") : parent, seed)
        .scenario(nameFrom(path));
  }

  /**
   * Reads a text.
   *
   * @param name what errors call it
   * @param directory where the traces it names are looked for
   */
  public static Scenario parse(String name, String text, Path directory, long seed) {
    return new ScenarioReader(Documents.parse(name, text), directory, seed).scenario("scenario");
  }

  private static String nameFrom(Path path) {
    String file = String.valueOf(path.getFileName());
    int dot = file.lastIndexOf('.');
    String name = (dot > 0 ? file.substring(0, dot) : file).replaceAll("[^A-Za-z0-9._-]", "-");
    return name.matches(NAME) ? name : "scenario";
  }

  private Scenario scenario(String defaultName) {
    DocumentNode nameNode = map.optional("name");
    String name = nameNode == null ? defaultName : name(nameNode);
    long endNanos = map.required("end").durationNanos(Limits.TIME_NANOS_MIN, Limits.TIME_NANOS_MAX);
    long clusterNodes = clusterNodes();
    List<TargetSpec> targets =
        TargetsReader.read(map.required("targets"), mode() == Scenario.Mode.FLUID);
    return new Scenario(
        name,
        description(),
        mode(),
        endNanos,
        sampleNanos(endNanos),
        periodNanos(),
        clusterNodes,
        targets,
        jobs(endNanos, clusterNodes, targets),
        policies(),
        connections(),
        ShareGroupingReader.read(map.optional("shares")),
        promises(targets),
        limits());
  }

  private List<TbfRule> limits() {
    List<TbfRule> read = LimitsReader.read(map.optional("limits"));
    if (!read.isEmpty() && mode() == Scenario.Mode.FLUID) {
      throw map.keyError("limits", "expected only with mode requests: streams have no buckets");
    }
    return read;
  }

  /** Those whose capacities are written. */
  private static List<Target> told(List<TargetSpec> targets) {
    return targets.stream().filter(target -> !target.found()).map(TargetSpec::told).toList();
  }

  private Promises promises(List<TargetSpec> targets) {
    Promises read = PromisesReader.read(map, told(targets));
    if (!read.goals().isEmpty() && mode() == Scenario.Mode.FLUID) {
      throw map.keyError("goals", "expected only with mode requests: streams have no latencies");
    }
    return read;
  }

  /** A name of the writer's choosing. */
  static String name(DocumentNode node) {
    if (!node.text().matches(NAME)) {
      throw node.error(NAME_EXPECTED);
    }
    return node.text();
  }

  /** Checks a name of the writer's choosing that is a key. */
  static void checkName(DocumentMap map, String key) {
    if (!key.matches(NAME)) {
      throw map.keyError(key, NAME_EXPECTED);
    }
  }

  private String description() {
    DocumentNode node = map.optional("description");
    if (node == null) {
      return "";
    }
    if (node.text().length() > Limits.DESCRIPTION_LENGTH_MAX) {
      throw node.error("expected at most " + Limits.DESCRIPTION_LENGTH_MAX + " characters");
    }
    return node.text().strip();
  }

  private Scenario.Mode mode() {
    return wordOr(map.optional("mode"), Scenario.Mode.REQUESTS);
  }

  /** One of an enumeration's words, {@code round-robin} for {@code ROUND_ROBIN}, or the default. */
  static <E extends Enum<E>> E wordOr(@Nullable DocumentNode node, E defaultValue) {
    if (node == null) {
      return defaultValue;
    }
    E[] values = defaultValue.getDeclaringClass().getEnumConstants();
    List<String> words = new ArrayList<>();
    for (E value : values) {
      words.add(value.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
    return values[words.indexOf(node.oneOf(words))];
  }

  private long sampleNanos(long endNanos) {
    DocumentNode node = map.optional("sample");
    if (node == null) {
      return Math.min(DEFAULT_SAMPLE_NANOS, endNanos);
    }
    return node.durationNanos(Limits.TIME_NANOS_MIN, endNanos);
  }

  private long periodNanos() {
    DocumentNode node = map.optional("period");
    return node == null
        ? 0
        : node.durationNanos(Limits.TIME_NANOS_MIN, Observation.PERIOD_NANOS_MAX);
  }

  private long clusterNodes() {
    DocumentNode node = map.optional("cluster");
    return node == null ? 0 : node.map("nodes").required("nodes").whole(1, JobClaim.NODES_MAX);
  }

  private Connections connections() {
    DocumentNode node = map.optional("connections");
    DocumentNode count = map.optional("nconnect");
    Connections.Sharing sharing = Connections.Sharing.PER_NODE;
    if (node != null) {
      String perNode = Connections.Sharing.PER_NODE.text();
      String perJob = Connections.Sharing.PER_JOB.text();
      if (node.oneOf(List.of(perNode, perJob)).equals(perJob)) {
        sharing = Connections.Sharing.PER_JOB;
      }
    }
    if (count == null) {
      return new Connections(sharing, 1);
    }
    if (sharing == Connections.Sharing.PER_JOB) {
      throw map.keyError("nconnect", "expected only with connections per node");
    }
    return new Connections(sharing, (int) count.whole(1, Connections.PER_NODE_MAX));
  }

  private List<String> policies() {
    DocumentNode node = map.optional("policies");
    if (node == null) {
      return POLICIES_UNLESS_SAID;
    }
    List<String> names = new ArrayList<>();
    for (DocumentNode item : node.list()) {
      String name = item.parsed(text -> PolicyRegistry.named(text).info().name());
      if (names.contains(name)) {
        throw item.error("the policy is there already");
      }
      names.add(name);
    }
    if (names.isEmpty()) {
      throw node.error("expected at least one policy");
    }
    return names;
  }

  private List<JobSpec> jobs(long endNanos, long clusterNodes, List<TargetSpec> targets) {
    DocumentNode written = map.optional("jobs");
    DocumentNode trace = map.optional("trace");
    if (written == null && trace == null) {
      throw map.error("expected the key \"jobs\", or \"trace\" for recorded ones");
    }
    TargetNames names = new TargetNames(targets.stream().map(TargetSpec::name).toList());
    Traces traces = new Traces(directory, names);
    JobsReader jobs = new JobsReader(endNanos, clusterNodes, seed, names, traces);
    if (written != null) {
      jobs.readWritten(written);
    }
    if (trace != null) {
      jobs.readRecorded(trace);
    }
    return jobs.jobs();
  }
}
