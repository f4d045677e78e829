package dev.sluice.store.api;

import dev.sluice.command.JsonLine;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.ledger.LedgerSummary;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** The books for programs: tokens, node-seconds and nanoseconds since 1970, all whole. */
public final class LedgerJson {
  private LedgerJson() {}

  /** All that the books say. */
  public static String text(LedgerLocation where, LedgerSummary summary) {
    return JsonLine.object(json -> {
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

  /** What was handed out, by application. */
  public static String awards(Map<String, Long> nodeSeconds) {
    return JsonLine.object(json -> {
      json.writeObjectPropertyStart("handed_out_node_seconds");
      nodeSeconds.forEach(json::writeNumberProperty);
      json.writeEndObject();
    });
  }
}
