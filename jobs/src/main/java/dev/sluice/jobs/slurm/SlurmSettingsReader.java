package dev.sluice.jobs.slurm;

import dev.sluice.core.policy.JobClaim;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.jobs.slurm.SlurmSettings.Source;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what a configuration says under {@code slurm}; docs/slurm.md describes it. */
public final class SlurmSettingsReader {
  private static final long PERIOD_NANOS = 30_000_000_000L;
  private static final long PERIOD_NANOS_MIN = 1_000_000_000L;
  private static final long PERIOD_NANOS_MAX = 3_600_000_000_000L;
  private static final int NODE_NAMES_MAX = 8;
  private static final int WEIGHTS_MAX = 1_000;
  private static final long WEIGHT_OF_NODE_MAX = 1_000;

  private SlurmSettingsReader() {}

  /** Reads a mapping; paths in it are relative to the directory. */
  public static SlurmSettings read(DocumentNode node, Path directory) {
    DocumentMap map =
        node.map(
            "source",
            "poll",
            "spool",
            "configuration",
            "commands",
            "rest-socket",
            "node-names",
            "weights");
    DocumentNode poll = map.optional("poll");
    DocumentNode sourceNode = map.optional("source");
    Source source = sourceNode == null ? Source.AUTO : source(sourceNode);
    Path spool = path(map.optional("spool"), directory);
    Path restSocket = path(map.optional("rest-socket"), directory);
    if (source == Source.NONE && spool == null) {
      throw map.error("expected the key \"spool\", because with source: none nobody is asked");
    }
    if (source == Source.SLURMRESTD && restSocket == null) {
      throw map.error("expected the key \"rest-socket\", where slurmrestd listens");
    }
    return new SlurmSettings(
        source,
        poll == null ? PERIOD_NANOS : poll.durationNanos(PERIOD_NANOS_MIN, PERIOD_NANOS_MAX),
        spool,
        path(map.optional("configuration"), directory),
        path(map.optional("commands"), directory),
        restSocket,
        nodeNames(map.optional("node-names")),
        weights(map.optional("weights")));
  }

  private static Source source(DocumentNode node) {
    List<String> words = Stream.of(Source.values()).map(SlurmSettingsReader::word).toList();
    return Source.valueOf(node.oneOf(words).toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  private static String word(Source source) {
    return source.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static @Nullable Path path(@Nullable DocumentNode node, Path directory) {
    if (node == null) {
      return null;
    }
    String text = node.text();
    if (text.isEmpty()) {
      throw node.error("expected a path");
    }
    try {
      return directory.resolve(text).normalize();
    } catch (InvalidPathException e) {
      throw node.error("expected a path without a zero byte");
    }
  }

  private static List<String> nodeNames(@Nullable DocumentNode node) {
    List<String> names = new ArrayList<>();
    if (node != null) {
      for (DocumentNode item : node.list()) {
        if (!item.text().contains(NodeAddresses.NODE)) {
          throw item.error("expected a name with {node} in it, such as {node}-ib");
        }
        names.add(item.text());
      }
      if (names.size() > NODE_NAMES_MAX) {
        throw node.error("expected at most " + NODE_NAMES_MAX + " names");
      }
    }
    return names;
  }

  private static List<WeightRule> weights(@Nullable DocumentNode node) {
    List<WeightRule> rules = new ArrayList<>();
    if (node != null) {
      for (DocumentNode item : node.list()) {
        rules.add(weight(item.map("account", "qos", "user", "weight", "weight-per-node")));
      }
      if (rules.size() > WEIGHTS_MAX) {
        throw node.error("expected at most " + WEIGHTS_MAX + " weights");
      }
    }
    return rules;
  }

  private static WeightRule weight(DocumentMap map) {
    DocumentNode weight = map.optional("weight");
    DocumentNode perNode = map.optional("weight-per-node");
    if ((weight == null) == (perNode == null)) {
      throw map.error("expected either the key \"weight\" or the key \"weight-per-node\"");
    }
    return new WeightRule(
        text(map.optional("account")),
        text(map.optional("qos")),
        text(map.optional("user")),
        weight == null
            ? map.required("weight-per-node").whole(1, WEIGHT_OF_NODE_MAX)
            : weight.whole(1, JobClaim.NODES_MAX),
        weight == null);
  }

  private static @Nullable String text(@Nullable DocumentNode node) {
    return node == null ? null : node.text();
  }
}
