package dev.sluice.app.period;

import dev.sluice.core.period.Inconclusive;
import dev.sluice.core.period.Period;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Periods as JSON for programs; docs/period.md describes it. */
final class PeriodJson {
  private static final int NANO_DIGITS = 9;
  private static final int PERIOD_DIGITS = 6;
  private static final int CONFIDENCE_DIGITS = 4;

  private PeriodJson() {}

  static void print(List<Analysis> analyses, PrintWriter out) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartArray();
      for (Analysis analysis : analyses) {
        write(analysis, json);
      }
      json.writeEndArray();
    }
    out.println(text);
  }

  private static void write(Analysis analysis, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("file", analysis.file());
    analysis.recording().job().ifPresent(job -> json.writeStringProperty("job", job));
    switch (analysis.finding().answer()) {
      case Period period -> {
        json.writeName("period");
        json.writeNumber(
            BigDecimal.valueOf(period.nanos(), NANO_DIGITS)
                .setScale(PERIOD_DIGITS, RoundingMode.HALF_EVEN));
        json.writeName("confidence");
        json.writeNumber(
            BigDecimal.valueOf(period.confidence())
                .setScale(CONFIDENCE_DIGITS, RoundingMode.HALF_EVEN));
      }
      case Inconclusive inconclusive -> {
        json.writeNullProperty("period");
        json.writeNumberProperty("confidence", 0);
        json.writeStringProperty("why", Analysis.reason(inconclusive.reason()));
      }
    }
    json.writeEndObject();
  }
}
