package dev.sluice.web.live;

import dev.sluice.web.live.LiveStatus.FoundCapacity;
import dev.sluice.web.live.LiveStatus.JobDescription;
import dev.sluice.web.live.LiveStatus.LiveJob;
import dev.sluice.web.live.LiveStatus.LiveTarget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the answer to the command {@code status}. It comes every second with up to a thousand jobs,
 * and is read as it goes by; what is not known is passed over.
 */
public final class StatusReader {
  private static final JsonFactory JSON = new JsonFactory();

  private final JsonParser parser;

  private StatusReader(JsonParser parser) {
    this.parser = parser;
  }

  /**
   * Reads a status.
   *
   * @throws tools.jackson.core.JacksonException when it is no JSON
   * @throws NoStatusException when it is a refusal
   */
  public static LiveStatus read(String line) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
      parser.nextToken();
      return new StatusReader(parser).status();
    }
  }

  private LiveStatus status() {
    Fields fields = new Fields();
    Map<String, String> settings = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    List<LiveTarget> targets = new ArrayList<>();
    object(name -> {
      switch (name) {
        case "settings" -> object(key -> settings.put(key, parser.getString()));
        case "problems" -> array(() -> problems.add(parser.getString()));
        case "targets" -> array(() -> targets.add(target()));
        default -> fields.take(name);
      }
    });
    String refusal = fields.texts.get("error");
    if (refusal != null) {
      throw new NoStatusException(refusal);
    }
    return new LiveStatus(
        fields.text("policy", ""),
        fields.number("period_ms", 0),
        settings,
        fields.flag("observe_only"),
        fields.number("up_s", 0),
        (long) fields.number("connections", 0),
        fields.text("turn", ""),
        problems,
        targets);
  }

  private LiveTarget target() {
    Fields fields = new Fields();
    List<LiveJob> jobs = new ArrayList<>();
    List<FoundCapacity> found = new ArrayList<>();
    object(name -> {
      switch (name) {
        case "jobs" -> array(() -> jobs.add(job()));
        case "found" -> {
          if (parser.currentToken() == JsonToken.START_OBJECT) {
            found.add(found());
          }
        }
        default -> fields.take(name);
      }
    });
    return new LiveTarget(
        fields.text("name", ""),
        fields.text("capacity", ""),
        fields.number("capacity_tokens_per_second", Double.POSITIVE_INFINITY),
        fields.number("tokens_per_operation", 0),
        fields.number("tokens_per_byte", 1),
        found.isEmpty() ? null : found.getFirst(),
        (long) fields.number("queued", 0),
        (long) fields.number("in_service", 0),
        fields.number("bytes_per_second", 0),
        fields.number("operations_per_second", 0),
        (long) fields.number("busy_jobs", 0),
        fields.texts.get("summary"),
        fields.texts.get("trouble"),
        jobs);
  }

  private FoundCapacity found() {
    Fields fields = new Fields();
    Map<String, Double> prices = new LinkedHashMap<>();
    object(name -> {
      if (name.equals("prices")) {
        object(key -> prices.put(key, number(1)));
      } else {
        fields.take(name);
      }
    });
    return new FoundCapacity(
        fields.flag("known"),
        fields.number("tokens_per_second", Double.POSITIVE_INFINITY),
        fields.number("delivered_per_second", 0),
        fields.number("depth", 0),
        fields.number("stretch", 1),
        fields.number("calm_ms", 0),
        fields.text("words", ""),
        prices);
  }

  private LiveJob job() {
    Fields fields = new Fields();
    Map<String, Double> figures = new LinkedHashMap<>();
    object(name -> {
      if (name.equals("figures")) {
        object(key -> figures.put(key, number(Double.POSITIVE_INFINITY)));
      } else {
        fields.take(name);
      }
    });
    return new LiveJob(
        new JobDescription(
            fields.text("job", ""),
            fields.text("user", ""),
            fields.text("name", ""),
            (long) fields.number("nodes", 0),
            (long) fields.number("weight", 1),
            fields.text("branch", ""),
            fields.text("branch_shares", "")),
        fields.number("allowed_tokens_per_second", Double.POSITIVE_INFINITY),
        fields.number("read_bytes_per_second", 0),
        fields.number("written_bytes_per_second", 0),
        fields.number("operations_per_second", 0),
        fields.number("waited_ms", 0),
        (long) fields.number("queued", 0),
        figures);
  }

  /** Goes through an object that is open; the parser stands at each value in turn. */
  private void object(Consumer<String> property) {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      property.accept(name);
    }
  }

  private void array(Runnable element) {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      element.run();
    }
  }

  private double number(double otherwise) {
    JsonToken token = parser.currentToken();
    return token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT
        ? parser.getDoubleValue()
        : otherwise;
  }

  /** The single values of one object. */
  private final class Fields {
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, Double> numbers = new LinkedHashMap<>();
    private final List<String> set = new ArrayList<>();

    void take(String name) {
      JsonToken token = parser.currentToken();
      if (token == JsonToken.VALUE_STRING) {
        texts.put(name, parser.getString());
      } else if (token == JsonToken.VALUE_TRUE) {
        set.add(name);
      } else if (token.isNumeric()) {
        numbers.put(name, parser.getDoubleValue());
      } else {
        parser.skipChildren();
      }
    }

    String text(String name, String otherwise) {
      return texts.getOrDefault(name, otherwise);
    }

    double number(String name, double otherwise) {
      @Nullable Double found = numbers.get(name);
      return found == null ? otherwise : found;
    }

    boolean flag(String name) {
      return set.contains(name);
    }
  }
}
