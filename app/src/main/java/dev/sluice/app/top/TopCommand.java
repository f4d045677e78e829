package dev.sluice.app.top;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.serve.ExplanationText;
import dev.sluice.app.serve.GatewayOption;
import dev.sluice.command.JsonLine;
import dev.sluice.web.live.LiveStatus;
import dev.sluice.web.live.StatusReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.core.JsonGenerator;

/** Shows who does what on a gateway, in a terminal, as it happens. */
@Command(
    name = "top",
    description = {
      "Show who does what on a gateway, live in the terminal: how busy each target is, and",
      "who uses it, by job, by user, by branch of the share tree or by target.",
      "",
      "Keys: s what comes first, b by job, user, branch or target, / filter, arrows select,",
      "Enter explains why the selected job gets what it gets, p pause, q quit.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples: ./sluice top --by user",
      "          ./sluice top --once --sort wait | head"
    })
public final class TopCommand implements Runnable {
  private static final int JOBS_MAX = 1_000;
  private static final long LOOK_MILLIS = 1_000;
  private static final int ONCE_COLUMNS = 120;

  @Spec @Nullable CommandSpec spec;

  @Mixin GatewayOption gateway = new GatewayOption();

  @Option(names = "--once", description = "Print one look as plain text, and end.")
  boolean once;

  @Option(names = "--json", description = "Print one look as JSON for programs, and end.")
  boolean json;

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      description = "A line for each job, user, branch or target (default: job).")
  String by = "job";

  @Option(
      names = "--sort",
      paramLabel = "WHAT",
      description = "First by rate, operations, wait, queue or name (default: rate).")
  String sort = "rate";

  @Option(
      names = "--filter",
      paramLabel = "TEXT",
      description = "Only lines whose name, user or branch has this text in it.")
  String filter = "";

  @Override
  public void run() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    TopView view =
        TopView.of(
            oneOf("--by", by, Grouping.values(), Grouping::word),
            oneOf("--sort", sort, Sorting.values(), Sorting::word),
            filter);
    if (json) {
      LiveStatus status = look();
      out.println(json(view.chosen(view.grouping().rows(status)), view));
    } else if (once) {
      LiveStatus status = look();
      TopScreen screen = new TopScreen(ONCE_COLUMNS, 0, blocks(), false);
      screen
          .list(status, view, view.chosen(view.grouping().rows(status)))
          .forEach(line -> out.println(line.stripTrailing()));
    } else {
      watch(view, out);
    }
  }

  private static <T> T oneOf(String option, String given, T[] values, Function<T, String> word) {
    return Arrays.stream(values)
        .filter(value -> word.apply(value).equals(given))
        .findFirst()
        .orElseThrow(() -> {
          String message =
              option
                  + " "
                  + given
                  + ": expected one of "
                  + String.join(", ", Arrays.stream(values).map(word).toList());
          return new BadInputException(message, new IllegalArgumentException(message));
        });
  }

  private LiveStatus look() {
    return StatusReader.read(
        gateway.ask("status", arguments -> arguments.writeNumberProperty("jobs", JOBS_MAX)));
  }

  private static boolean blocks() {
    return System.out.charset().equals(StandardCharsets.UTF_8);
  }

  private void watch(TopView begun, PrintWriter out) {
    TopView view = begun;
    // Looked at first: what cannot be reached is said on the terminal as it was.
    LiveStatus status = look();
    try (RawTerminal terminal = new RawTerminal(out)) {
      long nextMillis = System.currentTimeMillis() + LOOK_MILLIS;
      while (true) {
        List<TopRow> shown = view.chosen(view.grouping().rows(status));
        terminal.draw(picture(terminal.size(), status, view, shown));
        long left = Math.max(1, nextMillis - System.currentTimeMillis());
        TopKey key = terminal.nextKey(left);
        if (key == null) {
          nextMillis = System.currentTimeMillis() + LOOK_MILLIS;
          status = view.paused() ? status : look();
          continue;
        }
        boolean quits =
            !view.typing() && view.explained() == null && key.equals(new TopKey.Letter('q'));
        if (quits || key == TopKey.Special.END) {
          return;
        }
        view = view.after(key, shown);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  private List<String> picture(
      RawTerminal.Size size, LiveStatus status, TopView view, List<TopRow> shown) {
    int width = Math.max(TopScreen.WIDTH_MIN, size.columns());
    TopScreen screen = new TopScreen(width, size.lines(), blocks(), true);
    String job = view.explained();
    return job == null ? screen.list(status, view, shown) : screen.explanation(why(job));
  }

  private List<String> why(String job) {
    try {
      String answer =
          gateway.ask("explain", arguments -> arguments.writeStringProperty("job", job));
      return ExplanationText.lines(job, answer);
    } catch (BadInputException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  private static String json(List<TopRow> rows, TopView view) {
    return JsonLine.object(json -> {
      json.writeStringProperty("by", view.grouping().word());
      json.writeStringProperty("sort", view.sorting().word());
      json.writeArrayPropertyStart("rows");
      rows.forEach(row -> write(row, json));
      json.writeEndArray();
    });
  }

  private static void write(TopRow row, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", row.name());
    json.writeStringProperty("user", row.user());
    json.writeStringProperty("branch", row.branch());
    json.writeNumberProperty("nodes", row.nodes());
    json.writeNumberProperty("jobs", row.jobs());
    json.writeNumberProperty("read_bytes_per_second", row.readBytesPerSecond());
    json.writeNumberProperty("written_bytes_per_second", row.writtenBytesPerSecond());
    json.writeNumberProperty("operations_per_second", row.operationsPerSecond());
    json.writeNumberProperty("waited_ms", row.waitedMillis());
    json.writeNumberProperty("queued", row.queued());
    if (Double.isInfinite(row.allowedTokensPerSecond())) {
      json.writeNullProperty("allowed_tokens_per_second");
    } else {
      json.writeNumberProperty("allowed_tokens_per_second", row.allowedTokensPerSecond());
    }
    json.writeEndObject();
  }
}
