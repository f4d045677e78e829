package dev.sluice.web;

import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Answers commands as a gateway would whose jobs do what a formula says. Every policy has the
 * figures of all of them, so that the page has everything to show.
 */
public final class SyntheticProgram implements RequestHandler {
  private static final long CAPACITY = 500_000_000;
  private static final int TARGETS_OF_A_JOB = 4;

  private final List<Job> jobs;

  /** 0 where all jobs are on two targets. */
  private final int manyTargets;

  private final LongSupplier nowMillis;
  private final Map<String, Map<String, String>> overrides = new TreeMap<>();
  private String policy = "adaptbf";
  private final Map<String, String> settings = new TreeMap<>();
  private boolean observesOnly;
  private boolean failing;

  /**
   * A job.
   *
   * @param part of the capacity that it takes on average
   * @param swingSeconds how long its ups and downs take
   */
  public record Job(
      String id, String user, String name, int nodes, double part, double swingSeconds) {}

  /** With two targets, on each of which are all jobs. */
  public SyntheticProgram(List<Job> jobs, LongSupplier nowMillis) {
    this(jobs, 0, nowMillis);
  }

  /**
   * With many targets, on four of which is each job.
   *
   * @param targets four, or a multiple of it
   */
  public SyntheticProgram(List<Job> jobs, int targets, LongSupplier nowMillis) {
    this.jobs = List.copyOf(jobs);
    this.manyTargets = targets;
    this.nowMillis = nowMillis;
  }

  /** A morning on a cluster: one job that takes too much, some that work, some that come and go. */
  public static List<Job> morning() {
    return List.of(
        new Job("48120", "mchen", "genome-sort", 2, 0.36, 41),
        new Job("48097", "ahlers", "icon-ensemble", 64, 0.17, 23),
        new Job("48133", "okafor", "lammps", 32, 0.12, 17),
        new Job("48101", "tanaka", "checkpoint", 16, 0.09, 60),
        new Job("48140", "rossi", "train-resnet", 8, 0.07, 13),
        new Job("48077", "novak", "openfoam", 24, 0.05, 31),
        new Job("user-1042", "silva", "", 0, 0.02, 7),
        new Job("jupyter-lena", "lena", "notebook", 1, 0.004, 5));
  }

  /** So many jobs, a few of them large. */
  public static List<Job> crowd(int count) {
    List<Job> crowd = new ArrayList<>();
    double scale = 0;
    for (int i = 1; i <= count; i++) {
      scale += 1.0 / i;
    }
    for (int i = 1; i <= count; i++) {
      crowd.add(
          new Job(
              "job-" + (40_000 + i),
              "user" + i % 97,
              "application-" + i % 31,
              1 + i % 64,
              0.85 / i / scale,
              5 + i % 53));
    }
    return crowd;
  }

  /** Its jobs, the largest first. */
  List<Job> jobs() {
    return jobs;
  }

  /** What a job wants at a time, in bytes a second. */
  static double wanted(Job job, double seconds) {
    return bytes(job, seconds);
  }

  /** Has commands fail from now on, or succeed again. */
  public synchronized void fail(boolean fails) {
    failing = fails;
  }

  public synchronized String policy() {
    return policy;
  }

  public synchronized boolean observesOnly() {
    return observesOnly;
  }

  public synchronized Map<String, String> set(String job) {
    return Map.copyOf(overrides.getOrDefault(job, Map.of()));
  }

  @Override
  public synchronized Reply reply(String request) {
    if (failing) {
      return Reply.of(JsonLine.error("out of order on purpose"));
    }
    DocumentMap asked = Documents.parse("request", request).openMap();
    return Reply.of(
        switch (asked.required("command").text()) {
          case "status" -> JsonLine.object(json -> status(most(asked.optional("jobs")), json));
          case "explain" -> explain(asked.required("job").text());
          case "policy" -> {
            String name = asked.required("name").text();
            if (name.equals("static")) {
              yield JsonLine.error("policy static needs a capacity");
            }
            policy = name;
            settings.clear();
            DocumentNode given = asked.optional("settings");
            if (given != null) {
              given.openMap().entries().forEach((key, value) -> settings.put(key, value.text()));
            }
            yield JsonLine.object(json -> status(0, json));
          }
          case "observe" -> {
            observesOnly = asked.required("only").bool();
            yield JsonLine.object(json -> status(0, json));
          }
          case "job" -> {
            setJob(asked);
            yield JsonLine.object(json -> json.writeBooleanProperty("done", true));
          }
          default -> JsonLine.error("not known here");
        });
  }

  private static int most(@Nullable DocumentNode node) {
    return node == null ? 20 : (int) node.whole(0, 1_000);
  }

  private void setJob(DocumentMap asked) {
    String job = asked.required("job").text();
    if (asked.optional("clear") != null) {
      overrides.remove(job);
      return;
    }
    Map<String, String> set = overrides.computeIfAbsent(job, _ -> new TreeMap<>());
    for (String key : List.of("weight", "limit", "priority", "phase")) {
      DocumentNode value = asked.optional(key);
      if (value != null) {
        set.put(key, value.text());
      }
    }
  }

  private String explain(String id) {
    if (jobs.stream().noneMatch(job -> job.id.equals(id))) {
      return JsonLine.error("nothing is known of job \"" + id + "\"");
    }
    return JsonLine.object(json -> {
      json.writeArrayPropertyStart("explanations");
      json.writeStartObject();
      json.writeStringProperty("job", id);
      json.writeNumberProperty("weight", 4);
      json.writeStringProperty("state", policy + " decides every 100 ms");
      json.writeStringProperty(
          "summary", "8 active jobs share 50000000 tokens for the next 100 ms on scratch");
      json.writeStringProperty(
          "reason",
          "2 of 147 nodes make 680272 tokens, it wants 18000000; borrows 15200000 of what others"
              + " do not need now, and owes it to them");
      json.writeObjectPropertyStart("figures");
      json.writeNumberProperty("nodes", 2);
      json.writeNumberProperty("demand", 18_000_000);
      json.writeNumberProperty("priority", 680_272);
      json.writeNumberProperty("allocated", 15_880_272);
      json.writeNumberProperty("record", -15_200_000);
      json.writeEndObject();
      json.writeObjectPropertyStart("last_minute");
      json.writeArrayPropertyStart("scratch");
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndObject();
      json.writeEndArray();
    });
  }

  private void status(int jobsMax, JsonGenerator json) {
    double seconds = nowMillis.getAsLong() / 1e3;
    json.writeStringProperty("policy", policy);
    json.writeNumberProperty("period_ms", 100);
    json.writeObjectPropertyStart("settings");
    settings.forEach(json::writeStringProperty);
    json.writeEndObject();
    json.writeBooleanProperty("observe_only", observesOnly);
    json.writeNumberProperty("up_s", 86_400 + seconds % 1_000);
    json.writeNumberProperty("connections", 23);
    json.writeArrayPropertyStart("problems");
    json.writeEndArray();
    json.writeArrayPropertyStart("overrides");
    overrides.forEach((job, set) -> {
      json.writeStartObject();
      json.writeStringProperty("job", job);
      set.forEach(json::writeStringProperty);
      json.writeEndObject();
    });
    json.writeEndArray();
    json.writeArrayPropertyStart("targets");
    if (manyTargets == 0) {
      target("scratch", jobs, 1, jobsMax, seconds, json);
      target("home", jobs, 0.11, jobsMax, seconds + 100, json);
    }
    int groups = manyTargets / TARGETS_OF_A_JOB;
    for (int i = 0; i < manyTargets; i++) {
      List<Job> on = new ArrayList<>();
      for (int job = i % groups; job < jobs.size(); job += groups) {
        on.add(jobs.get(job));
      }
      target("ost" + i, on, 1, jobsMax, seconds + i, json);
    }
    json.writeEndArray();
  }

  private void target(
      String name, List<Job> on, double scale, int jobsMax, double seconds, JsonGenerator json) {
    double all = 0;
    for (Job job : on) {
      all += bytes(job, seconds) * scale;
    }
    double squeeze = Math.min(1, 0.97 * CAPACITY / Math.max(1, all));
    json.writeStartObject();
    json.writeStringProperty("name", name);
    json.writeStringProperty("capacity", "500 MB/s");
    json.writeNumberProperty("capacity_tokens_per_second", CAPACITY);
    json.writeNumberProperty("tokens_per_operation", 0);
    json.writeNumberProperty("tokens_per_byte", 1);
    json.writeNumberProperty("decisions", (long) (seconds * 10) % 1_000_000);
    json.writeStringProperty("summary", "everybody gets a share");
    json.writeNumberProperty("queued", (long) (40 + 30 * Math.sin(seconds / 9)));
    json.writeNumberProperty("in_service", 8);
    json.writeNumberProperty("bytes_per_second", all * squeeze);
    json.writeNumberProperty("operations_per_second", all * squeeze / 65_536);
    json.writeNumberProperty("busy_jobs", on.size());
    json.writeArrayPropertyStart("jobs");
    int written = 0;
    for (Job job : on) {
      if (written++ == jobsMax) {
        break;
      }
      double wanted = bytes(job, seconds) * scale;
      double used = wanted * squeeze;
      boolean throttled = job.part > 0.2;
      json.writeStartObject();
      json.writeStringProperty("job", job.id);
      json.writeStringProperty("user", job.user);
      json.writeStringProperty("name", job.name);
      json.writeNumberProperty("nodes", job.nodes);
      json.writeNumberProperty("weight", Math.max(1, job.nodes));
      json.writeNumberProperty("allowed_tokens_per_second", throttled ? used : used * 1.6 + 4e6);
      json.writeNumberProperty("read_bytes_per_second", used * 0.3);
      json.writeNumberProperty("written_bytes_per_second", used * 0.7);
      json.writeNumberProperty("operations_per_second", used / 65_536 + job.part * 300);
      json.writeNumberProperty(
          "waited_ms",
          throttled
              ? 180 + 90 * Math.sin(seconds / 7)
              : 0.4 + 30 * job.part * (2 + Math.sin(seconds / job.swingSeconds)));
      json.writeNumberProperty("queued", (long) (40 * job.part * (1 + Math.sin(seconds / 9))));
      figures(job, used, json);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void figures(Job job, double used, JsonGenerator json) {
    json.writeObjectPropertyStart("figures");
    json.writeNumberProperty("allocated", used);
    switch (policy) {
      case "gift" -> {
        json.writeNumberProperty("owed", 40e6 * job.part * job.nodes);
        json.writeNumberProperty("coupon", job.part > 0.1 ? 2e6 : 0);
        json.writeNumberProperty("redeemed", job.part > 0.1 ? 0 : 1e6);
      }
      case "iosets" -> {
        json.writeNumberProperty("period", job.swingSeconds * 3);
        json.writeNumberProperty("confidence", 0.9);
        json.writeNumberProperty("set", Math.floor(Math.log10(job.swingSeconds * 3)));
      }
      default -> json.writeNumberProperty("record", (job.nodes * 0.004 - job.part) * 9e7);
    }
    json.writeEndObject();
  }

  private static double bytes(Job job, double seconds) {
    double swing = 1 + 0.35 * Math.sin(seconds / job.swingSeconds * 2 * Math.PI);
    boolean pauses = job.swingSeconds == 60 && seconds % 60 > 25;
    return pauses ? 0 : CAPACITY * job.part * swing;
  }
}
