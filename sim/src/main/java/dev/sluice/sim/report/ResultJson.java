package dev.sluice.sim.report;

import dev.sluice.sim.result.Summary;
import java.io.StringWriter;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** A report's measures as JSON for programs; docs/simulation.md describes it. */
public final class ResultJson {
  private ResultJson() {}

  public static String text(Report report) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(new Indented(), text)) {
      Report.Origin origin = report.origin();
      json.writeStartObject();
      json.writeStringProperty("scenario", origin.name());
      json.writeStringProperty("description", origin.description());
      json.writeStringProperty("scenario_sha256", origin.scenarioHash());
      json.writeStringProperty("command", origin.command());
      json.writeNumberProperty("seed", origin.seed());
      json.writeArrayPropertyStart("runs");
      report.runs().forEach(run -> write(run, json));
      json.writeEndArray();
      json.writeEndObject();
    }
    return text + "\n";
  }

  private static void write(Report.Run run, JsonGenerator json) {
    Summary summary = run.summary();
    json.writeStartObject();
    json.writeStringProperty("policy", run.policy());
    json.writeName("end_s");
    json.writeNumber(Numbers.seconds(run.result().endNanos()));
    json.writeName("total");
    write(summary.total(), Field.OF_TOTAL, json);
    json.writeArrayPropertyStart("jobs");
    summary.jobs().forEach(job -> write(job, Field.OF_JOB, json));
    json.writeEndArray();
    json.writeArrayPropertyStart("targets");
    summary.targets().forEach(target -> write(target, Field.OF_TARGET, json));
    json.writeEndArray();
    json.writeEndObject();
  }

  private static <T> void write(T row, List<Field<T>> fields, JsonGenerator json) {
    json.writeStartObject();
    for (Field<T> field : fields) {
      String value = field.value().apply(row);
      json.writeName(field.name());
      if (field.kind() == Field.Kind.TEXT) {
        json.writeString(value);
      } else if (value.isEmpty()) {
        json.writeNull();
      } else {
        json.writeNumber(value);
      }
    }
    json.writeEndObject();
  }

  /** With line feeds on every system, so that the bytes are the same. */
  private static final class Indented extends ObjectWriteContext.Base {
    @Override
    public PrettyPrinter getPrettyPrinter() {
      DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
      return new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
    }

    @Override
    public boolean hasPrettyPrinter() {
      return true;
    }
  }
}
