package dev.sluice.store.documents;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Quantities.CountedRate;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.registry.ResourcePolicy;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.document.PromisesReader;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a document; docs/documents.md describes it. What is wrong is said with line and column. */
public final class PolicyDocumentReader {
  /** Far more than anybody writes; a bound on what a stranger can make us keep. */
  public static final int LENGTH_MAX = 1 << 20;

  /** A bound on what is looked through in every cycle. */
  private static final int LIMITS_MAX = 10_000;

  private static final int JOBS_MAX = 10_000;
  private static final long PRIORITY_MAX = 1_000_000;
  private static final int NAME_LENGTH_MAX = 100;
  private static final long BURST_NANOS_MAX = 24 * 3_600 * Rate.NANOS_PER_SECOND;

  private static final Choice DEFAULT_POLICY = new Choice("psfa", Map.of());

  private PolicyDocumentReader() {}

  private record Choice(String name, Map<String, String> settings) {}

  /**
   * Reads a text.
   *
   * @param name what errors call it
   * @throws dev.sluice.document.DocumentException where something is not as it should be
   */
  public static PolicyDocument read(String name, String text) {
    return read(name, text, List.of());
  }

  /**
   * The same, unless guarantees do not fit.
   *
   * @param targets those that they must fit
   */
  public static PolicyDocument read(String name, String text, List<Target> targets) {
    DocumentMap map =
        Documents.parse(name, text)
            .map("policy", "resources", "limits", "guarantees", "goals", "time-zone");
    ZoneId zone = ScheduleReader.zone(map.optional("time-zone"), ZoneOffset.UTC);
    Choice policy = policy(map.optional("policy"), DEFAULT_POLICY);
    return new PolicyDocument(
        resources(map.optional("resources"), policy),
        limits(map.optional("limits"), zone),
        PromisesReader.read(map, targets));
  }

  private static Choice policy(@Nullable DocumentNode node, Choice otherwise) {
    if (node == null) {
      return otherwise;
    }
    if (!node.isMap()) {
      return new Choice(node.oneOf(ResourcePolicy.NAMES), Map.of());
    }
    DocumentMap map = node.openMap();
    String name = map.required("name").oneOf(ResourcePolicy.NAMES);
    Map<String, String> settings = new LinkedHashMap<>();
    for (Map.Entry<String, DocumentNode> entry : map.entries().entrySet()) {
      if (!entry.getKey().equals("name")) {
        settings.put(entry.getKey(), entry.getValue().text());
        requireGoodSettings(name, settings, entry.getValue());
      }
    }
    return new Choice(name, settings);
  }

  private static void requireGoodSettings(
      String name, Map<String, String> settings, DocumentNode last) {
    try {
      ResourcePolicy.named(name, settings);
    } catch (IllegalArgumentException e) {
      throw last.error(String.valueOf(e.getMessage()));
    }
  }

  private static List<ResourceEntry> resources(@Nullable DocumentNode node, Choice policy) {
    List<ResourceEntry> resources = new ArrayList<>();
    if (node == null) {
      return resources;
    }
    for (DocumentNode item : node.list()) {
      DocumentMap map = item.map("operations", "max", "policy", "jobs");
      DocumentNode max = map.required("max");
      LimitKey key = key(map.required("operations"), max);
      if (resources.stream().anyMatch(other -> other.key().equals(key))) {
        throw map.required("operations").error("this resource is there already");
      }
      Choice choice = policy(map.optional("policy"), policy);
      resources.add(
          new ResourceEntry(
              key,
              perSecond(max, key.counted()),
              choice.name(),
              choice.settings(),
              jobs(map.optional("jobs"), key.counted())));
    }
    return resources;
  }

  private static SequencedMap<JobId, ResourceEntry.Terms> jobs(
      @Nullable DocumentNode node, Counted counted) {
    SequencedMap<JobId, ResourceEntry.Terms> jobs = new LinkedHashMap<>();
    if (node == null) {
      return jobs;
    }
    DocumentMap map = node.openMap();
    for (Map.Entry<String, DocumentNode> entry : map.entries().entrySet()) {
      JobId job;
      try {
        job = JobId.of(entry.getKey());
      } catch (IllegalArgumentException e) {
        throw map.keyError(entry.getKey(), String.valueOf(e.getMessage()));
      }
      DocumentMap terms = entry.getValue().map("priority", "demand");
      DocumentNode priority = terms.optional("priority");
      DocumentNode demand = terms.optional("demand");
      jobs.put(
          job,
          new ResourceEntry.Terms(
              demand == null ? OptionalLong.empty() : OptionalLong.of(perSecond(demand, counted)),
              priority == null ? 1 : priority.whole(1, PRIORITY_MAX)));
    }
    if (jobs.size() > JOBS_MAX) {
      throw node.error("expected at most " + JOBS_MAX + " jobs");
    }
    return jobs;
  }

  private static List<LimitEntry> limits(@Nullable DocumentNode node, ZoneId zone) {
    List<LimitEntry> limits = new ArrayList<>();
    if (node == null) {
      return limits;
    }
    Set<String> names = new HashSet<>();
    for (DocumentNode item : node.list()) {
      DocumentMap map = item.map("name", "job", "user", "rates", "kind", "burst", "when");
      DocumentNode name = map.required("name");
      if (name.text().isBlank()
          || name.text().length() > NAME_LENGTH_MAX
          || !names.add(name.text())) {
        throw name.error(
            "expected a name of 1 to " + NAME_LENGTH_MAX + " characters that no other limit has");
      }
      limits.add(
          new LimitEntry(
              name.text(),
              subject(map),
              rates(map.required("rates")),
              firmness(map.optional("kind")),
              burstNanos(map.optional("burst")),
              ScheduleReader.read(map.optional("when"), zone)));
    }
    if (limits.size() > LIMITS_MAX) {
      throw node.error("expected at most " + LIMITS_MAX + " limits");
    }
    return limits;
  }

  private static LimitEntry.Subject subject(DocumentMap map) {
    DocumentNode job = map.optional("job");
    DocumentNode user = map.optional("user");
    if (job != null && user == null) {
      return new LimitEntry.Subject.EachJob(job.parsed(NamePattern::parse));
    }
    if (user != null && job == null) {
      return new LimitEntry.Subject.EachUser(user.parsed(NamePattern::parse));
    }
    throw map.error("expected either job or user");
  }

  private static LimitEntry.Firmness firmness(@Nullable DocumentNode node) {
    boolean soft = node != null && node.oneOf(List.of("hard", "soft")).equals("soft");
    return soft ? LimitEntry.Firmness.SOFT : LimitEntry.Firmness.HARD;
  }

  private static long burstNanos(@Nullable DocumentNode node) {
    return node == null ? 0 : node.durationNanos(0, BURST_NANOS_MAX);
  }

  private static SequencedMap<LimitKey, Long> rates(DocumentNode node) {
    SequencedMap<LimitKey, Long> rates = new LinkedHashMap<>();
    DocumentMap map = node.map(LimitKey.scopes().toArray(String[]::new));
    for (Map.Entry<String, DocumentNode> entry : map.entries().entrySet()) {
      DocumentNode rate = entry.getValue();
      LimitKey key = key(entry.getKey(), rate);
      rates.put(key, perSecond(rate, key.counted()));
    }
    if (rates.isEmpty()) {
      throw node.error("expected at least one rate, such as metadata: 5 kops/s");
    }
    return rates;
  }

  private static LimitKey key(DocumentNode scope, DocumentNode rate) {
    return key(scope.oneOf(LimitKey.scopes()), rate);
  }

  private static LimitKey key(String scope, DocumentNode rate) {
    CountedRate written = rate.rate();
    if (written.counted() == Counted.TOKENS) {
      throw rate.error("expected a rate with a unit, such as 200 MB/s or 5 kops/s");
    }
    LimitKey key = new LimitKey(scope, written.counted());
    if (!LimitKey.ALL.contains(key)) {
      throw rate.error(scope + " moves no bytes: expected a rate such as 5 kops/s");
    }
    return key;
  }

  private static long perSecond(DocumentNode node, Counted counted) {
    CountedRate rate = node.rate();
    if (rate.counted() != counted) {
      throw node.error(
          counted == Counted.BYTES
              ? "expected a rate in bytes, such as 200 MB/s"
              : "expected a rate in operations, such as 5 kops/s");
    }
    if (rate.perSecond() > Rate.TOKENS_PER_SECOND_MAX) {
      throw node.error("expected at most " + Rate.TOKENS_PER_SECOND_MAX + " a second");
    }
    return rate.perSecond();
  }
}
