package dev.sluice.history.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Makes looks of a gateway's answers to the command {@code demand}, which hold counters: what they
 * have grown by since the last answer. Not thread-safe.
 *
 * <p>It reads tokens as they come and not a document whose values know their places: it does so ten
 * times a second.
 */
public final class DemandCounters {
  private static final JsonFactory JSON = new JsonFactory();

  /** A bound on the jobs that are remembered, over all targets; far more than run at once. */
  private static final int JOBS_MAX = 100_000;

  /** The numbers of a job in an answer, after its name and user: weight, and counters. */
  private static final int NUMBERS = 10;

  private final long unknownTokensPerSecond;
  private final Map<String, Counted> counted = new HashMap<>();
  private long startNanos;
  private long lastNanos;
  private boolean begun;
  private String policy = "";

  /** A job's counters and when they were read. */
  private record Counted(List<Long> numbers, long atNanos) {}

  /**
   * @param unknownTokensPerSecond the capacity that stands for "nobody knows"
   */
  public DemandCounters(long unknownTokensPerSecond) {
    this.unknownTokensPerSecond = unknownTokensPerSecond;
  }

  /** Which policy decided at the last answer. */
  public String policy() {
    return policy;
  }

  /** When the last answer was given, on the gateway's clock. */
  public long lastNanos() {
    return lastNanos;
  }

  /**
   * What happened since the last answer; null for the first one, and for one of the same instant.
   *
   * @throws IllegalArgumentException when it is no such answer
   */
  public @Nullable Look look(String answer) {
    List<Look.Row> rows = new ArrayList<>();
    long before = lastNanos;
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), answer)) {
      expect(json.nextToken() == JsonToken.START_OBJECT);
      for (String name = json.nextName(); name != null; name = json.nextName()) {
        json.nextToken();
        switch (name) {
          case "now_ns" -> lastNanos = json.getLongValue();
          case "policy" -> policy = json.getString();
          case "targets" -> targets(json, before, rows);
          default -> json.skipChildren();
        }
      }
    } catch (JacksonException e) {
      throw new IllegalArgumentException("expected an answer about demand: " + e.getMessage(), e);
    }
    if (!begun) {
      begun = true;
      startNanos = lastNanos;
      return null;
    }
    if (lastNanos == before) {
      // Who counts less often than it is asked has nothing new to tell.
      return null;
    }
    if (counted.size() > JOBS_MAX) {
      long now = lastNanos;
      counted.values().removeIf(job -> job.atNanos < now);
    }
    return new Look(lastNanos - startNanos, lastNanos - before, rows);
  }

  private static void expect(boolean so) {
    if (!so) {
      throw new IllegalArgumentException("expected an answer about demand");
    }
  }

  private void targets(JsonParser json, long before, List<Look.Row> rows) {
    expect(json.currentToken() == JsonToken.START_ARRAY);
    while (json.nextToken() == JsonToken.START_OBJECT) {
      String target = "";
      Map<String, Long> capacity = new TreeMap<>();
      for (String name = json.nextName(); name != null; name = json.nextName()) {
        JsonToken token = json.nextToken();
        if (name.equals("name")) {
          target = json.getString();
        } else if (token == JsonToken.VALUE_NUMBER_INT) {
          capacity.put(name, json.getLongValue());
        } else if (name.equals("jobs")) {
          jobs(json, traced(target, capacity), before, rows);
        } else {
          json.skipChildren();
        }
      }
    }
  }

  private TracedTarget traced(String name, Map<String, Long> capacity) {
    long tokens = capacity.getOrDefault("tokens_per_second", 0L);
    return new TracedTarget(
        name,
        tokens == unknownTokensPerSecond ? 0 : tokens,
        capacity.getOrDefault("tokens_per_operation", 0L),
        capacity.getOrDefault("tokens_per_byte", 1L));
  }

  private void jobs(JsonParser json, TracedTarget target, long before, List<Look.Row> rows) {
    expect(json.currentToken() == JsonToken.START_ARRAY);
    while (json.nextToken() == JsonToken.START_ARRAY) {
      json.nextToken();
      String id = json.getString();
      json.nextToken();
      String user = json.getString();
      List<Long> numbers = new ArrayList<>(NUMBERS);
      while (json.nextToken() == JsonToken.VALUE_NUMBER_INT) {
        numbers.add(json.getLongValue());
      }
      expect(numbers.size() == NUMBERS);
      Counted was = counted.put(target.name() + '\n' + id, new Counted(numbers, lastNanos));
      if (begun) {
        Look.Row row = row(target, id, user, was, numbers, lastNanos - before);
        if (row.operations() > 0 || row.busyNanos() > 0) {
          rows.add(row);
        }
      }
    }
  }

  private static Look.Row row(
      TracedTarget target,
      String id,
      String user,
      @Nullable Counted was,
      List<Long> now,
      long spanNanos) {
    // A job that is new, or was forgotten in between, is counted from nothing.
    List<Long> from =
        was != null && was.numbers.get(1) <= now.get(1)
            ? was.numbers
            : List.of(0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
    long[] grown = new long[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
      grown[i] = Math.max(0, now.get(i) - from.get(i));
    }
    long operations = grown[1];
    long reads = Math.min(operations, grown[2]);
    long writes = Math.min(operations - reads, grown[3]);
    return new Look.Row(
        target,
        new TracedJob(id, user, Math.max(1, now.get(0))),
        reads,
        grown[4],
        writes,
        grown[5],
        operations - reads - writes,
        grown[6],
        grown[7],
        Math.min(spanNanos, grown[8]),
        (int) Math.min(Integer.MAX_VALUE, now.get(9)));
  }
}
