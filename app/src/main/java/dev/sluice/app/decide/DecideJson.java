package dev.sluice.app.decide;

import dev.sluice.core.policy.Explanation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Decisions as JSON for programs; docs/decide.md describes it. */
final class DecideJson {
  private DecideJson() {}

  static void print(List<Explanation> explanations, PrintWriter out) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeArrayPropertyStart("steps");
      for (Explanation explanation : explanations) {
        write(explanation, json);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    out.println(text);
  }

  private static void write(Explanation explanation, JsonGenerator json) {
    List<Explanation.Reason> reasons = explanation.reasons();
    json.writeStartObject();
    json.writeObjectPropertyStart("jobs");
    for (Explanation.Reason reason : reasons) {
      json.writeObjectPropertyStart(reason.job().toString());
      for (Map.Entry<String, Number> figure : reason.figures().entrySet()) {
        json.writeName(figure.getKey());
        number(figure.getValue(), json);
      }
      json.writeEndObject();
    }
    json.writeEndObject();
    json.writeObjectPropertyStart("why");
    json.writeStringProperty("summary", explanation.summary());
    json.writeObjectPropertyStart("jobs");
    for (Explanation.Reason reason : reasons) {
      json.writeStringProperty(reason.job().toString(), reason.words());
    }
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
  }

  /** What is unlimited is null; a whole number is written as one. */
  private static void number(Number figure, JsonGenerator json) {
    double value = figure.doubleValue();
    if (Double.isInfinite(value)) {
      json.writeNull();
    } else if (value == Math.rint(value)) {
      json.writeNumber(figure.longValue());
    } else {
      json.writeNumber(value);
    }
  }
}
