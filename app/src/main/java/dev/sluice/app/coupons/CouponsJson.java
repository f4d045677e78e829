package dev.sluice.app.coupons;

import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.ledger.LedgerSummary;
import java.io.StringWriter;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The books for programs: tokens, node-seconds and nanoseconds since 1970, all whole. */
final class CouponsJson {
  private CouponsJson() {}

  static String text(LedgerLocation where, LedgerSummary summary) {
    return object(json -> {
      json.writeStringProperty("ledger", where.toString());
      json.writeStringProperty(
          "token", summary.counted() == Counted.OPERATIONS ? "operation" : "byte");
      json.writeNumberProperty("coupons_issued", summary.couponsIssued());
      Long assessed = summary.assessedNanos();
      if (assessed == null) {
        json.writeNullProperty("assessed_ns");
      } else {
        json.writeNumberProperty("assessed_ns", assessed);
      }
      json.writeNumberProperty("budget_node_seconds", summary.regretBudgetNodeSeconds());
      json.writeNumberProperty("awarded_node_seconds", summary.awardedNodeSeconds());
      json.writeNumberProperty("regret_node_seconds", summary.regretNodeSeconds());
      json.writeArrayPropertyStart("applications");
      summary.applications().forEach(application -> write(application, json));
      json.writeEndArray();
    });
  }

  private static void write(LedgerSummary.Application application, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("application", application.name());
    json.writeNumberProperty("owed", application.owedTokens());
    json.writeNumberProperty("open_coupons", application.openCoupons());
    json.writeNumberProperty("coupons_issued", application.couponsIssued());
    json.writeNumberProperty("issued", application.issuedTokens());
    json.writeNumberProperty("redeemed", application.redeemedTokens());
    json.writeNumberProperty("regret_node_seconds", application.regretNodeSeconds());
    json.writeNumberProperty("due_node_seconds", application.dueNodeSeconds());
    json.writeNumberProperty("handed_out_node_seconds", application.handedOutNodeSeconds());
    json.writeEndObject();
  }

  static String awards(Map<String, Long> nodeSeconds) {
    return object(json -> {
      json.writeObjectPropertyStart("handed_out_node_seconds");
      nodeSeconds.forEach(json::writeNumberProperty);
      json.writeEndObject();
    });
  }

  private static String object(Consumer<JsonGenerator> content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      content.accept(json);
      json.writeEndObject();
    }
    return text.toString();
  }
}
