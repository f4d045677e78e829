package dev.sluice.lustre.config;

import dev.sluice.core.capacity.CapacityBounds;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Quantities.CountedRate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.document.GuaranteesReader;
import dev.sluice.jobs.source.JobSource;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.tbf.RuleName;
import dev.sluice.web.WebSettings;
import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link LustreConfiguration}; docs/lustre.md describes the file. Whatever is wrong is a
 * {@link DocumentException} that names its place.
 */
public final class LustreConfigurationReader {
  public static final String DEFAULT_PREFIX = "sl_";

  private static final long SECOND = 1_000_000_000L;
  private static final long PERIOD_NANOS = SECOND;
  private static final long PERIOD_NANOS_MIN = 100_000_000L;
  private static final long PERIOD_NANOS_MAX = 60 * SECOND;
  private static final long PATIENCE_NANOS = 30 * SECOND;
  static final long CAPACITY_MAX = 100_000_000;

  /** How many requests are in service at once is the server's own affair. */
  private static final int AT_ONCE_MAX = Integer.MAX_VALUE;

  private static final String AUTO = "auto";
  private static final String AT_LEAST = "at-least";
  private static final String AT_MOST = "at-most";
  private static final long FLOOR = 10;
  private static final long FLOOR_MAX = 10_000;
  private static final double DEAD_BAND = 0.05;
  private static final double DEAD_BAND_MAX = 0.5;
  private static final int RULES = 10_000;
  private static final int RULES_MAX = 50_000;
  private static final String ADAPTBF = "adaptbf";
  private static final long RETENTION_NANOS_MAX = 30 * 24 * 3_600 * SECOND;

  private final DocumentMap map;
  private final Path directory;

  private LustreConfigurationReader(DocumentNode root, Path directory) {
    this.map =
        root.map(
            "service",
            "capacity",
            "period",
            "jobs",
            "state",
            "lctl",
            "lctl-patience",
            "rule-prefix",
            "floor",
            "dead-band",
            "rules-max",
            "policy",
            "record-retention",
            "limits",
            "guarantees",
            "switch-policy",
            "realtime",
            "observe-only",
            "dashboard",
            // Read by those whom they are about.
            "history",
            "alerts",
            "controller");
    this.directory = directory;
  }

  /**
   * Whether a file is the configuration of a Lustre service: no gateway or controller has a
   * capacity of its own. What cannot be read is none.
   */
  public static boolean isOne(Path file) {
    try {
      DocumentMap map = Documents.read(file.toString(), InputStream.nullInputStream()).openMap();
      return map.optional("capacity") != null && map.optional("exports") == null;
    } catch (DocumentException e) {
      return false;
    }
  }

  /** Reads a file; paths in it are relative to its directory. */
  public static LustreConfiguration read(Path file) {
    DocumentNode root = Documents.read(file.toString(), InputStream.nullInputStream());
    Path parent = file.toAbsolutePath().getParent();
    return new LustreConfigurationReader(root, parent == null ? Path.of("/") : parent)
        .configuration();
  }

  /** Reads a text; {@code name} is what errors call it. */
  public static LustreConfiguration parse(String name, String text, Path directory) {
    return new LustreConfigurationReader(Documents.parse(name, text), directory).configuration();
  }

  private LustreConfiguration configuration() {
    DocumentNode service = map.optional("service");
    LustreService chosen =
        service == null
            ? LustreService.OST_IO
            : LustreService.named(service.oneOf(LustreService.names()));
    DocumentNode jobs = map.optional("jobs");
    DocumentNode lctl = map.optional("lctl");
    DocumentNode band = map.optional("dead-band");
    DocumentNode rules = map.optional("rules-max");
    DocumentNode written = map.required("capacity");
    CapacityBounds bounds = bounds(written);
    long capacity = bounds == null ? operations(written, CAPACITY_MAX) : bounds.mostPerSecond();
    ChosenPolicy policy = policy(map.optional("policy"), map.optional("record-retention"));
    Target target = new Target(chosen.text(), capacity, TokenUnit.OPERATIONS);
    return new LustreConfiguration(
        chosen,
        capacity,
        bounds,
        duration("period", PERIOD_NANOS, PERIOD_NANOS_MIN, PERIOD_NANOS_MAX),
        jobs == null ? null : JobSource.read(jobs, directory),
        state(chosen),
        lctl == null ? "lctl" : program(lctl),
        duration("lctl-patience", PATIENCE_NANOS, SECOND, 600 * SECOND),
        prefix(map.optional("rule-prefix")),
        floor(map.optional("floor")),
        band == null ? DEAD_BAND : band.number(0, DEAD_BAND_MAX),
        rules == null ? RULES : (int) rules.whole(1, RULES_MAX),
        policy,
        LimitsReader.read(
            map.optional("limits"), chosen, policy.info().scheduler() != SchedulerKind.FIFO),
        GuaranteesReader.read(
            map.optional("guarantees"), bounds == null ? List.of(target) : List.of()),
        flag("switch-policy"),
        flag("realtime"),
        flag("observe-only"),
        WebSettings.read(map.optional("dashboard"), directory));
  }

  private static ChosenPolicy policy(
      @Nullable DocumentNode node, @Nullable DocumentNode retention) {
    Map<String, String> settings = new LinkedHashMap<>();
    String name = ADAPTBF;
    if (node != null && node.isMap()) {
      DocumentMap written = node.openMap();
      name = written.required("name").text();
      written.entries().forEach((key, value) -> settings.put(key, value.text()));
      settings.remove("name");
    } else if (node != null) {
      name = node.text();
    }
    if (retention != null) {
      if (!name.equals(ADAPTBF)) {
        throw retention.error("expected no such key: only " + ADAPTBF + " keeps a record");
      }
      retention.durationNanos(SECOND, RETENTION_NANOS_MAX);
      settings.put("record-retention", retention.text());
    }
    try {
      return ChosenPolicy.of(name, settings);
    } catch (IllegalArgumentException e) {
      throw (node == null ? Objects.requireNonNull(retention) : node)
          .error(String.valueOf(e.getMessage()));
    }
  }

  /** Within which bounds the capacity is to be found out; null where it is written. */
  private static @Nullable CapacityBounds bounds(DocumentNode node) {
    if (!node.isMap()) {
      return node.text().equals(AUTO) ? new CapacityBounds(1, CAPACITY_MAX, AT_ONCE_MAX) : null;
    }
    DocumentMap map = node.map(AT_LEAST, AT_MOST);
    DocumentNode least = map.optional(AT_LEAST);
    DocumentNode most = map.optional(AT_MOST);
    if (least == null && most == null) {
      throw node.error("expected " + AT_LEAST + ", " + AT_MOST + " or both");
    }
    long leastPerSecond = least == null ? 1 : operations(least, CAPACITY_MAX);
    long mostPerSecond = most == null ? CAPACITY_MAX : operations(most, CAPACITY_MAX);
    if (most != null && mostPerSecond < leastPerSecond) {
      throw most.error("expected no less than " + AT_LEAST);
    }
    return new CapacityBounds(leastPerSecond, mostPerSecond, AT_ONCE_MAX);
  }

  static long operations(DocumentNode node, long max) {
    CountedRate rate = node.rate();
    if (rate.counted() == Counted.BYTES) {
      throw node.error("expected requests a second such as 4 kops/s: Lustre's filter counts those");
    }
    if (rate.perSecond() < 1 || rate.perSecond() > max) {
      throw node.error("expected a rate from 1 to " + max + " ops/s");
    }
    return rate.perSecond();
  }

  private static long floor(@Nullable DocumentNode node) {
    return node == null ? FLOOR : operations(node, FLOOR_MAX);
  }

  private long duration(String key, long defaultNanos, long minNanos, long maxNanos) {
    DocumentNode node = map.optional(key);
    return node == null ? defaultNanos : node.durationNanos(minNanos, maxNanos);
  }

  private boolean flag(String key) {
    DocumentNode node = map.optional(key);
    return node != null && node.bool();
  }

  private static String prefix(@Nullable DocumentNode node) {
    if (node == null) {
      return DEFAULT_PREFIX;
    }
    String text = node.text();
    if (!RuleName.isPrefix(text)) {
      throw node.error(
          "expected 1 to "
              + RuleName.PREFIX_LENGTH_MAX
              + " letters, digits and underscores: names of rules have at most "
              + RuleName.LENGTH_MAX
              + " characters, and longer ones overrun a buffer in the kernel of Lustre 2.12");
    }
    return text;
  }

  private Path state(LustreService service) {
    Path given = optionalPath("state");
    return given == null ? Path.of("/var/lib/sluice/lustre-" + service.text()) : given;
  }

  private @Nullable Path optionalPath(String key) {
    DocumentNode node = map.optional(key);
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

  /** A name is looked for as shells do; what has a slash is a path, from the file's directory. */
  private String program(DocumentNode node) {
    String text = node.text();
    if (text.isEmpty() || text.indexOf('\0') >= 0) {
      throw node.error("expected the name of a program or a path to it");
    }
    return text.contains("/") ? directory.resolve(text).normalize().toString() : text;
  }
}
