package dev.sluice.lustre.show;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Explanation;
import dev.sluice.history.model.Sample;
import dev.sluice.lustre.config.JobLimit;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.control.Decision;
import dev.sluice.lustre.control.JobReport;
import dev.sluice.web.live.LiveStatus;
import dev.sluice.web.live.LiveStatus.FoundCapacity;
import dev.sluice.web.live.LiveStatus.JobDescription;
import dev.sluice.web.live.LiveStatus.LiveJob;
import dev.sluice.web.live.LiveStatus.LiveTarget;
import dev.sluice.web.live.StatusWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** How a Lustre service is, as JSON of the same shape as a gateway's. */
final class LustreJson {
  private static final Comparator<Sample.OfJob> BUSIEST_FIRST =
      Comparator.comparingLong(Sample.OfJob::operations)
          .thenComparingLong(Sample.OfJob::bytes)
          .reversed()
          .thenComparing(Sample.OfJob::id);

  private LustreJson() {}

  /**
   * How it is.
   *
   * @param jobsMax how many jobs are told of
   * @param figuresMax with how many of them come the numbers behind the last decision
   */
  static LiveStatus status(
      LustreConfiguration configuration,
      ServiceBook.State state,
      double upSeconds,
      int jobsMax,
      int figuresMax,
      long nowNanos) {
    return new LiveStatus(
        configuration.policy().info().name(),
        configuration.periodNanos() / 1e6,
        configuration.policy().settings(),
        configuration.observesOnly(),
        upSeconds,
        0,
        "",
        state.problems(),
        List.of(target(configuration, state, nowNanos, jobsMax, figuresMax)));
  }

  private static LiveTarget target(
      LustreConfiguration configuration,
      ServiceBook.State state,
      long nowNanos,
      int jobsMax,
      int figuresMax) {
    Sample latest = state.latest();
    double seconds = latest == null ? 1 : latest.spanMillis() / 1e3;
    List<Sample.OfJob> busy =
        latest == null ? new ArrayList<>() : new ArrayList<>(latest.targets().getFirst().jobs());
    busy.sort(BUSIEST_FIRST);
    double bytes = 0;
    double operations = state.unknownPerSecond();
    for (Sample.OfJob job : busy) {
      bytes += job.bytes() / seconds;
      operations += job.operations() / seconds;
    }
    Decision decision = state.decision();
    CapacityBelief belief = decision == null ? null : decision.belief();
    Target target = configuration.target(belief);
    Map<String, Map<String, Double>> figures =
        figuresMax == 0 || decision == null ? Map.of() : figures(decision.explanation());
    List<LiveJob> jobs = new ArrayList<>();
    for (Sample.OfJob job : busy.subList(0, Math.min(busy.size(), jobsMax))) {
      Map<String, Double> known =
          jobs.size() < figuresMax ? figures.getOrDefault(job.id(), Map.of()) : Map.of();
      jobs.add(job(job, seconds, known));
    }
    return new LiveTarget(
        target.name(),
        configuration.capacityWords(belief),
        configuration.bounds() != null && (belief == null || !belief.known())
            ? Double.POSITIVE_INFINITY
            : (double) target.tokensPerSecond(),
        (double) target.unit().tokensPerOperation(),
        (double) target.unit().tokensPerByte(),
        belief == null ? null : FoundCapacity.of(belief, LustreConfiguration.COUNTED, nowNanos),
        state.queued(),
        decision == null ? 0 : Math.max(0, Math.round(decision.queue().inService())),
        bytes,
        operations,
        busy.size(),
        decision == null || figuresMax == 0 ? null : decision.explanation().summary(),
        trouble(state),
        jobs);
  }

  /** Why nothing is decided; null where all is well. */
  static @Nullable String trouble(ServiceBook.State state) {
    return state.blind()
        ? "nothing was heard of the jobs for long, and no limit holds: "
            + String.join("; ", state.problems())
        : null;
  }

  private static Map<String, Map<String, Double>> figures(Explanation explanation) {
    Map<String, Map<String, Double>> figures = new HashMap<>();
    for (Explanation.Reason reason : explanation.reasons()) {
      Map<String, Double> ofJob = new LinkedHashMap<>();
      reason.figures().forEach((name, figure) -> ofJob.put(name, figure.doubleValue()));
      figures.put(reason.job().toString(), ofJob);
    }
    return figures;
  }

  private static LiveJob job(Sample.OfJob job, double seconds, Map<String, Double> figures) {
    return new LiveJob(
        new JobDescription(job.id(), job.user(), "", job.weight(), job.weight()),
        job.allowedTokensPerSecond() == Sample.OfJob.UNLIMITED
            ? Double.POSITIVE_INFINITY
            : (double) job.allowedTokensPerSecond(),
        job.readBytes() / seconds,
        job.writtenBytes() / seconds,
        job.operations() / seconds,
        job.meanWaitMicros() / 1e3,
        job.queued(),
        figures);
  }

  /** What each job was served so far, for whoever records; docs/gateway.md describes it. */
  static void demand(
      LustreConfiguration configuration, ServiceBook book, long sinceNanos, JsonGenerator json) {
    book.read((countedNanos, accounts) -> {
      // What was counted is as old as the last decision, whenever somebody asks.
      json.writeNumberProperty("now_ns", countedNanos);
      json.writeStringProperty("policy", configuration.policy().info().name());
      json.writeBooleanProperty("observe_only", configuration.observesOnly());
      json.writeArrayPropertyStart("targets");
      Decision decision = book.state().decision();
      Target target = configuration.target(decision == null ? null : decision.belief());
      json.writeStartObject();
      json.writeStringProperty("name", target.name());
      json.writeNumberProperty("tokens_per_second", target.tokensPerSecond());
      json.writeNumberProperty("tokens_per_operation", target.unit().tokensPerOperation());
      json.writeNumberProperty("tokens_per_byte", target.unit().tokensPerByte());
      json.writeArrayPropertyStart("jobs");
      accounts.forEach((job, account) -> {
        if (account.seenNanos >= sinceNanos) {
          write(job, account, json);
        }
      });
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndArray();
    });
  }

  private static void write(JobId job, JobAccount account, JsonGenerator json) {
    json.writeStartArray();
    json.writeString(job.toString());
    json.writeString(account.user);
    json.writeNumber(account.nodes);
    json.writeNumber(account.operations);
    json.writeNumber(account.reads);
    json.writeNumber(account.writes);
    json.writeNumber(account.readBytes);
    json.writeNumber(account.writtenBytes);
    json.writeNumber(account.waitedNanos);
    json.writeNumber(account.servedNanos);
    json.writeNumber(account.busyNanos);
    json.writeNumber(Math.max(1, account.queued));
    json.writeEndArray();
  }

  /** Why a job has what it has. */
  static void explanation(
      LustreConfiguration configuration,
      ServiceBook.State state,
      JobId job,
      List<ServiceBook.SecondOfJob> minute,
      long nowNanos,
      JsonGenerator json) {
    Decision decision = state.decision();
    JobReport report = decision == null ? null : report(decision, job);
    Explanation.Reason reason = decision == null ? null : reason(decision.explanation(), job);
    json.writeStartObject();
    json.writeStringProperty("job", job.toString());
    json.writeNumberProperty(
        "weight",
        report == null ? minute.isEmpty() ? 1 : minute.getLast().job().weight() : report.nodes());
    json.writeStringProperty(
        "state", words(configuration, report) + believed(configuration, decision, nowNanos));
    json.writeStringProperty(
        "summary", decision == null ? "nothing is decided yet" : decision.explanation().summary());
    if (reason == null) {
      json.writeNullProperty("reason");
    } else {
      json.writeStringProperty("reason", reason.words());
      json.writeObjectPropertyStart("figures");
      reason
          .figures()
          .forEach((name, figure) -> StatusWriter.number(name, figure.doubleValue(), json));
      json.writeEndObject();
    }
    limits(configuration, report, json);
    json.writeObjectPropertyStart("last_minute");
    json.writeArrayPropertyStart(configuration.target().name());
    minute.forEach(second -> second(second, json));
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
  }

  static @Nullable JobReport report(Decision decision, JobId job) {
    return decision.jobs().stream().filter(one -> one.job().equals(job)).findFirst().orElse(null);
  }

  static Explanation.@Nullable Reason reason(Explanation explanation, JobId job) {
    return explanation.reasons().stream()
        .filter(one -> one.job().equals(job))
        .findFirst()
        .orElse(null);
  }

  /** What the service is believed to be able to do, and why; nothing where that was told. */
  private static String believed(
      LustreConfiguration configuration, @Nullable Decision decision, long nowNanos) {
    CapacityBelief belief = decision == null ? null : decision.belief();
    return belief == null
        ? ""
        : "; "
            + configuration.target().name()
            + " "
            + belief.words(LustreConfiguration.COUNTED, nowNanos);
  }

  /** Who decides, and what became of it on the server. */
  static String words(LustreConfiguration configuration, @Nullable JobReport report) {
    String who =
        configuration.policy().info().name()
            + " decides every "
            + Quantities.formatDuration(configuration.periodNanos())
            + (configuration.observesOnly() ? ", and nothing is enforced" : "");
    if (report == null) {
      return who;
    }
    if (report.leftAlone() != null) {
      return who + "; left alone: " + report.leftAlone();
    }
    if (report.rule() == null) {
      return who + "; no rule of ours holds for it";
    }
    return who
        + "; rule "
        + report.rule()
        + " lets "
        + (report.partitions() == 1 ? "" : report.partitions() + " x ")
        + report.ratePerPartition()
        + " requests a second pass"
        + (report.orderedPerSecond() < Double.POSITIVE_INFINITY
            ? "; the controller allows it "
                + Quantities.formatRate(report.orderedPerSecond(), Counted.OPERATIONS)
                + " here"
            : "")
        + (report.heldBack() ? ", and it is held back" : "");
  }

  private static void limits(
      LustreConfiguration configuration, @Nullable JobReport report, JsonGenerator json) {
    String name = report == null ? null : report.limit();
    json.writeArrayPropertyStart("limits");
    for (JobLimit limit : configuration.limits()) {
      if (limit.name().equals(name)) {
        String rate = Quantities.formatRate((double) limit.perSecond(), Counted.OPERATIONS);
        json.writeStartObject();
        json.writeStringProperty("name", limit.name());
        json.writeStringProperty("target", configuration.target().name());
        json.writeStringProperty("rate", rate);
        json.writeNumberProperty("waiting", 0);
        json.writeStringProperty("words", "limit " + limit.name() + " allows it " + rate);
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("limits_elsewhere");
    configuration.limits().stream()
        .map(JobLimit::name)
        .filter(other -> !other.equals(name))
        .forEach(json::writeString);
    json.writeEndArray();
  }

  private static void second(ServiceBook.SecondOfJob second, JsonGenerator json) {
    Sample.OfJob job = second.job();
    json.writeStartObject();
    StatusWriter.number("read_bytes_per_second", job.readBytes() / second.seconds(), json);
    StatusWriter.number("written_bytes_per_second", job.writtenBytes() / second.seconds(), json);
    StatusWriter.number("operations_per_second", job.operations() / second.seconds(), json);
    StatusWriter.number("waited_ms", job.meanWaitMicros() / 1e3, json);
    json.writeNumberProperty("queued", job.queued());
    StatusWriter.number("oldest_wait_ms", 0, json);
    json.writeEndObject();
  }
}
