package dev.sluice.lustre.show;

import dev.sluice.command.JsonLine;
import dev.sluice.command.LinkStatus;
import dev.sluice.command.RequestHandler;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.web.live.StatusWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Answers what is asked of a Lustre service that is looked after, in the form in which a gateway
 * would: each request one JSON object with a key {@code command}, each answer one JSON object; a
 * request that cannot be met is answered with an {@code error} that says why.
 */
public final class LustreCommands implements RequestHandler {
  private static final System.Logger LOG = System.getLogger(LustreCommands.class.getName());
  private static final int JOBS_SHOWN = 20;
  private static final int JOBS_SHOWN_MAX = 1_000;
  private static final long PATIENCE_MILLIS = 30_000;
  private static final long PATIENCE_MILLIS_MAX = 86_400_000;
  private static final List<String> COMMANDS =
      List.of("status", "health", "demand", "explain", "stop");

  private final LustreConfiguration configuration;
  private final ServiceBook book;
  private final Surroundings around;
  private final LongSupplier clockNanos;
  private final long begunNanos;

  /**
   * What is known besides.
   *
   * @param jobs where the jobs come from, in words; empty when nowhere
   * @param dashboard its address; null while there is none
   * @param controller how the link to it is; null where there is none
   * @param stop ends the program, soon
   */
  public record Surroundings(
      Supplier<String> jobs,
      Supplier<@Nullable String> dashboard,
      Supplier<@Nullable LinkStatus> controller,
      Runnable stop) {}

  public LustreCommands(
      LustreConfiguration configuration,
      ServiceBook book,
      Surroundings around,
      LongSupplier clockNanos) {
    this.configuration = configuration;
    this.book = book;
    this.around = around;
    this.clockNanos = clockNanos;
    this.begunNanos = clockNanos.getAsLong();
  }

  @Override
  public Reply reply(String request) {
    try {
      DocumentNode document = Documents.parse("request", request);
      String command = document.openMap().required("command").text();
      if (!COMMANDS.contains(command)) {
        return Reply.of(
            JsonLine.error(
                "a Lustre service has no command \""
                    + command
                    + "\": what holds on it is in its configuration, read when it starts"));
      }
      if (command.equals("stop")) {
        return new Reply(
            JsonLine.object(json -> json.writeBooleanProperty("stopping", true)), around.stop());
      }
      return Reply.of(JsonLine.object(json -> obey(command, document, json)));
    } catch (DocumentException | IllegalArgumentException e) {
      return Reply.of(JsonLine.error(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a command failed", e);
      return Reply.of(JsonLine.error("this is a defect in Sluice: " + e));
    }
  }

  private void obey(String command, DocumentNode request, JsonGenerator json) {
    switch (command) {
      case "status" -> status(request.map("command", "jobs", "figures"), json);
      case "health" -> health(request.map("command", "patience_ms"), json);
      case "demand" -> {
        DocumentNode since = request.map("command", "since_ns").optional("since_ns");
        long sinceNanos =
            since == null ? Long.MIN_VALUE : since.whole(Long.MIN_VALUE, Long.MAX_VALUE);
        LustreJson.demand(configuration, book, sinceNanos, json);
      }
      case "explain" -> explain(request.map("command", "job"), json);
      default -> throw new IllegalStateException("a command that nobody obeys");
    }
  }

  private void status(DocumentMap request, JsonGenerator json) {
    long nowNanos = clockNanos.getAsLong();
    StatusWriter.write(
        LustreJson.status(
            configuration,
            book.state(),
            (nowNanos - begunNanos) / 1e9,
            count(request.optional("jobs"), JOBS_SHOWN),
            count(request.optional("figures"), 0),
            nowNanos),
        json);
    json.writeStringProperty("service", configuration.service().text());
    json.writeStringProperty("job_directory", around.jobs().get());
    json.writeStringProperty("shares_by", "job");
    json.writeStringProperty("share_weights", "");
    LinkStatus controller = around.controller().get();
    if (controller == null) {
      json.writeNullProperty("controller");
    } else {
      controller.write(json, nowNanos);
    }
    String dashboard = around.dashboard().get();
    if (dashboard == null) {
      json.writeNullProperty("dashboard");
    } else {
      json.writeStringProperty("dashboard", dashboard);
    }
  }

  private static int count(@Nullable DocumentNode node, int otherwise) {
    return node == null ? otherwise : (int) node.whole(0, JOBS_SHOWN_MAX);
  }

  private void health(DocumentMap request, JsonGenerator json) {
    DocumentNode patience = request.optional("patience_ms");
    long millis = patience == null ? PATIENCE_MILLIS : patience.whole(1, PATIENCE_MILLIS_MAX);
    long patienceNanos =
        Math.max(TimeUnit.MILLISECONDS.toNanos(millis), 3 * configuration.periodNanos());
    ServiceBook.State state = book.state();
    long silentNanos = clockNanos.getAsLong() - state.decidedNanos();
    boolean healthy = silentNanos <= patienceNanos;
    json.writeBooleanProperty("healthy", healthy);
    json.writeArrayPropertyStart("findings");
    if (!healthy) {
      json.writeStartObject();
      json.writeStringProperty("kind", "control-lapsed");
      json.writeStringProperty("about", configuration.target().name());
      json.writeStringProperty(
          "words",
          "nothing was decided for "
              + Quantities.formatDuration(silentNanos)
              + (state.problems().isEmpty() ? "" : ": " + String.join("; ", state.problems())));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void explain(DocumentMap request, JsonGenerator json) {
    JobId job = request.required("job").parsed(JobId::of);
    ServiceBook.State state = book.state();
    List<ServiceBook.SecondOfJob> minute = book.minute(job);
    boolean decided = state.decision() != null && LustreJson.report(state.decision(), job) != null;
    if (!decided && minute.isEmpty()) {
      throw new IllegalArgumentException(
          "nothing is known of job \"" + job + "\": it was not here in the last minute");
    }
    json.writeArrayPropertyStart("explanations");
    LustreJson.explanation(configuration, state, job, minute, clockNanos.getAsLong(), json);
    json.writeEndArray();
  }
}
