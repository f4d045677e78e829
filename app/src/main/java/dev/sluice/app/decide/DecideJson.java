package dev.sluice.app.decide;

import dev.sluice.core.policy.Explanation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Decisions as JSON for programs; docs/decide.md describes it. */
final class DecideJson {
  /** More digits than anybody measures, and fewer than the rounding of doubles can be seen in. */
  private static final MathContext DIGITS = new MathContext(12);

  private DecideJson() {}

  /**
   * Prints the decisions.
   *
   * @param unit what a figure of 1 is called
   */
  static void print(List<Explanation> explanations, double unit, PrintWriter out) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeArrayPropertyStart("steps");
      for (Explanation explanation : explanations) {
        write(explanation, unit, json);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    out.println(text);
  }

  private static void write(Explanation explanation, double unit, JsonGenerator json) {
    List<Explanation.Reason> reasons = explanation.reasons();
    json.writeStartObject();
    json.writeObjectPropertyStart("jobs");
    for (Explanation.Reason reason : reasons) {
      json.writeObjectPropertyStart(reason.job().toString());
      for (Map.Entry<String, Number> figure : reason.figures().entrySet()) {
        json.writeName(figure.getKey());
        number(figure.getValue(), unit, json);
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
  private static void number(Number figure, double unit, JsonGenerator json) {
    double value = figure.doubleValue();
    if (Double.isInfinite(value)) {
      json.writeNull();
    } else if (unit == 1 && value == Math.rint(value)) {
      json.writeNumber(figure.longValue());
    } else {
      double rounded = new BigDecimal(value * unit).round(DIGITS).doubleValue();
      if (rounded == Math.rint(rounded)) {
        json.writeNumber((long) rounded);
      } else {
        json.writeNumber(rounded);
      }
    }
  }
}
