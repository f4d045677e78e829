package dev.sluice.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.access.AccessTokens;
import dev.sluice.access.Audit;
import dev.sluice.access.Caller;
import dev.sluice.access.Refusals;
import dev.sluice.access.Role;
import dev.sluice.command.JsonLine;
import dev.sluice.control.controller.ControllerStatus;
import dev.sluice.control.controller.ControllerStatus.Gateways;
import dev.sluice.control.controller.ControllerStatus.JobRate;
import dev.sluice.control.controller.ControllerStatus.JobState;
import dev.sluice.control.controller.ControllerStatus.Member;
import dev.sluice.control.controller.ControllerStatus.MemberKind;
import dev.sluice.control.controller.ControllerStatus.ResourceState;
import dev.sluice.control.controller.ControllerStatus.TargetJob;
import dev.sluice.control.controller.ControllerStatus.TargetState;
import dev.sluice.control.gateways.TargetPlane;
import dev.sluice.control.gateways.TargetSeen.JobSeen;
import dev.sluice.control.history.ControllerHistory;
import dev.sluice.control.leader.Standing;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.history.store.HistoryPlace;
import dev.sluice.history.store.HistoryStore;
import dev.sluice.ledger.CouponBooks;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.store.documents.CurrentDocument;
import dev.sluice.store.documents.DocumentHistory;
import dev.sluice.store.documents.LimitsInForce;
import dev.sluice.testkit.Eventually;
import dev.sluice.web.SluiceWeb;
import dev.sluice.web.WebSettings;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/openapi.yaml says what a controller answers, all of it and nothing else. */
class OpenApiTest {
  private static final String ADMIN = "a-token-for-the-administrator";
  private static final String READER = "a-token-for-somebody-who-reads";
  private static final LimitKey METADATA = new LimitKey("metadata", Counted.OPERATIONS);
  private static final LimitKey READ = new LimitKey("read", Counted.BYTES);

  /** What only a gateway says. */
  private static final Set<String> OF_GATEWAYS =
      Set.of(
          "Status.nfs_port",
          "Status.mount_port",
          "Status.dashboard",
          "Status.controller",
          "Status.failover",
          "Status.turn",
          "Status.overrides",
          "Status.share_weights",
          "Status.shares_by",
          "Status.exports",
          "Target.found",
          "Target.goals",
          "Target.summary",
          "Job.branch",
          "Job.branch_shares",
          "Job.name",
          "Job.figures",
          "Job.oldest_wait_ms",
          "Explanations.explanations[].limits",
          "Explanations.explanations[].limits[].name",
          "Explanations.explanations[].limits[].rate",
          "Explanations.explanations[].limits[].target",
          "Explanations.explanations[].limits[].waiting",
          "Explanations.explanations[].limits[].words",
          "Explanations.explanations[].limits_elsewhere");

  @TempDir private Path directory;

  private final DocumentMap description =
      Documents.read(
              Path.of("..", "docs", "openapi.yaml").toString(), InputStream.nullInputStream())
          .openMap();
  private final Set<String> seen = new TreeSet<>();
  private LedgerLocation where = new LedgerLocation.SqliteFile(Path.of("/nowhere"));
  private final List<AutoCloseable> open = new ArrayList<>();
  private @Nullable SluiceWeb web;

  private static ControllerStatus status() {
    return new ControllerStatus(
        new Standing.Leads(3),
        17,
        "a problem",
        List.of(
            new Member("n001", "n001.example.org", MemberKind.AGENT, 1, 1, false, 5_000_000),
            new Member("gw1", "gw1.example.org", MemberKind.GATEWAY, 0, 1, true, 9_000_000)),
        List.of(new ResourceState(METADATA, "psfa", 110_000, 900)),
        List.of(
            new JobState(
                "4711",
                "alice",
                2,
                8,
                List.of(
                    new JobRate(METADATA, 900, 55_000, 50_000),
                    new JobRate(READ, 1_000_000, -1, -1)))),
        new Gateways(
            new TargetPlane.State(
                "gift",
                List.of("gw1"),
                1,
                4,
                "one of five gateways does not answer",
                "nothing is owed"),
            null,
            List.of(
                new TargetState(
                    new Target("gw1/disk", 100_000_000, TokenUnit.BYTES),
                    12,
                    2,
                    List.of(
                        new TargetJob(
                            new JobSeen("4712", "bob", 2e7, 1e7, 470, 31.5, 9), 4, 3.5e7))))));
  }

  @BeforeEach
  void start() throws Exception {
    where = new LedgerLocation.SqliteFile(directory.resolve("controller.db"));
    DocumentHistory history = new DocumentHistory(where);
    open.addFirst(history);
    CurrentDocument current = new CurrentDocument(history);
    open.addFirst(current);
    DashboardCommands commands =
        new DashboardCommands(
            OpenApiTest::status,
            () ->
                new ControllerFacts(
                    "127.0.0.1:7000",
                    1_000_000_000,
                    5_500_000_000L,
                    List.of(),
                    current.held().version(),
                    jobs -> new LimitsInForce(current.held().document()).at(Instant.now(), jobs)));
    ControllerHistory kept =
        Objects.requireNonNull(
            ControllerHistory.begin(
                new HistoryPlace(true, null, HistoryStore.BYTES_DEFAULT),
                directory,
                OpenApiTest::status,
                () -> current.held().version()));
    open.addFirst(kept);
    web =
        ControllerWeb.start(
            WebSettings.anywhere(),
            AccessTokens.none()
                .with(new Caller("root", Role.ADMIN), ADMIN)
                .with(new Caller("reader", Role.READ), READER),
            commands,
            OpenApiTest::status,
            history,
            current,
            where,
            kept,
            Audit.NONE,
            new Refusals());
    open.addFirst(web);
  }

  private SluiceWeb web() {
    return Objects.requireNonNull(web);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  private HttpResponse<String> ask(String method, String path, String body, String token)
      throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(web().url() + path.substring(1)))
              .method(method, HttpRequest.BodyPublishers.ofString(body))
              .header("Authorization", "Bearer " + token)
              .header("Content-Type", "application/json")
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  /** By {@code GET /api/v1/status}, what is said of it. */
  private Map<String, DocumentMap> operations() {
    Map<String, DocumentMap> operations = new TreeMap<>();
    description
        .required("paths")
        .openMap()
        .entries()
        .forEach((path, methods) ->
            methods
                .openMap()
                .entries()
                .forEach((method, operation) ->
                    operations.put(
                        method.toUpperCase(Locale.ROOT) + " " + path, operation.openMap())));
    return operations;
  }

  @Test
  void everyRouteIsDescribedAndNoOther() {
    List<String> routes =
        web().routes().stream()
            .filter(route -> route.contains(" /api/") || route.endsWith(" /metrics"))
            .toList();
    assertThat(operations().keySet()).containsExactlyInAnyOrderElementsOf(routes);
  }

  @Test
  void theDescriptionIsServed() throws Exception {
    HttpResponse<String> answer = ask("GET", "/api/v1/openapi.yaml", "", READER);
    assertThat(answer.body()).isEqualTo(Files.readString(Path.of("..", "docs", "openapi.yaml")));
  }

  @Test
  void rolesAreAsDescribed() throws Exception {
    for (Map.Entry<String, DocumentMap> entry : operations().entrySet()) {
      List<String> route = List.of(entry.getKey().split(" ", 2));
      String role = entry.getValue().required("x-role").text();
      if (!route.get(1).endsWith("/events")) {
        int status =
            ask(route.getFirst(), route.get(1).replaceAll("\\{[a-z]+}", "1"), "", READER)
                .statusCode();
        assertThat(status == 403)
            .as(entry.getKey() + " answers " + status)
            .isEqualTo(!role.equals("read"));
      }
      assertThat(role).isIn("read", "operate", "admin");
    }
  }

  @Test
  void everyFieldIsDescribedAndEveryDescribedFieldIsThere() throws Exception {
    String document =
        Files.readString(Path.of("..", "examples", "documents", "limits.yaml"))
            + "guarantees: [{user: alice, rate: 20 MB/s}]\n"
            + "goals: [{group: interactive, p99: 20 ms}]\n";
    String wish =
        JsonLine.object(json -> {
          json.writeStringProperty("content", document);
          json.writeStringProperty("note", "a test");
          json.writeNumberProperty("on_version", 0);
        });
    check("POST", "/api/v1/document/check", "/api/v1/document/check", wish);
    check("GET", "/api/v1/document", "/api/v1/document", "");
    check("POST", "/api/v1/documents", "/api/v1/documents", wish);
    String other = "limits: [{name: a, user: alice, rates: {metadata: 7 kops/s}}]";
    check(
        "POST",
        "/api/v1/documents",
        "/api/v1/documents",
        JsonLine.object(json -> json.writeStringProperty("content", other)));
    check("GET", "/api/v1/limits", "/api/v1/limits", "");
    check("POST", "/api/v1/documents/{version}/restore", "/api/v1/documents/1/restore", "{}");
    check("GET", "/api/v1/documents", "/api/v1/documents", "");
    check("GET", "/api/v1/documents/{version}", "/api/v1/documents/1", "");
    check("GET", "/api/v1/document", "/api/v1/document", "");
    check("GET", "/api/v1/jobs/{id}/explain", "/api/v1/jobs/4711/explain", "");
    String explained = ask("GET", "/api/v1/jobs/4712/explain", "", ADMIN).body();
    assertThat(explained).contains("gw1/disk", "nothing is decided yet");
    check("GET", "/api/v1/history", "/api/v1/history?since=1min&steps=60", "");
    awaitHistory();
    check("GET", "/api/v1/history/jobs", lastSeconds(), "");
    check("GET", "/api/v1/history", "/api/v1/history?since=1min&steps=60", "");
    issueACoupon();
    for (String path :
        List.of(
            "/api/v1/me",
            "/api/v1/status",
            "/api/v1/targets",
            "/api/v1/jobs",
            "/api/v1/policies",
            "/api/v1/ledger")) {
      check("GET", path, path, "");
    }
    Set<String> described = new TreeSet<>();
    description
        .required("components")
        .openMap()
        .required("schemas")
        .openMap()
        .entries()
        .forEach((name, schema) -> {
          if (!Set.of("Error", "Wish", "Restore", "Policy", "Observe", "JobChange", "Changes")
              .contains(name)) {
            described(name, schema.openMap(), described);
          }
        });
    described.removeAll(seen);
    assertThat(described).isEqualTo(OF_GATEWAYS);
  }

  /** Until something was kept: it is looked at once a second. */
  private void awaitHistory() throws Exception {
    Eventually.await(
        "something is kept", () -> ask("GET", lastSeconds(), "", READER).body().contains("4712"));
  }

  /** Few enough that they are kept one by one: whole minutes come later. */
  private static String lastSeconds() {
    long nowMillis = System.currentTimeMillis();
    return "/api/v1/history/jobs?from_ms=" + (nowMillis - 5_000) + "&to_ms=" + nowMillis;
  }

  /** As GIFT would, so that the ledger has something to tell. */
  private void issueACoupon() throws SQLException {
    // Whoever looks makes the tables.
    CouponBooks.summary(where);
    try (Connection connection = where.connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "INSERT INTO sluice_application VALUES ('lammps@alice', 1, 1, 1000, 0, 0)");
      statement.executeUpdate(
          "INSERT INTO sluice_coupon VALUES (1, 'lammps@alice', 1, 0, 1000, 0, 0, 10.0, 4)");
      statement.executeUpdate(
          "UPDATE sluice_ledger SET coupons_issued = 1, counted = 'BYTES',"
              + " period_unredeemed_millionths = 1000000");
    }
  }

  private void described(String name, DocumentMap schema, Set<String> described) {
    DocumentNode properties = schema.optional("properties");
    DocumentNode items = schema.optional("items");
    if (properties != null) {
      properties
          .openMap()
          .entries()
          .forEach((property, value) -> {
            described.add(name + "." + property);
            described(name + "." + property, value.openMap(), described);
          });
    }
    if (items != null) {
      described(name + "[]", items.openMap(), described);
    }
  }

  private void check(String method, String pattern, String path, String body) throws Exception {
    HttpResponse<String> answer = ask(method, path, body, ADMIN);
    assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
    DocumentMap operation =
        description
            .required("paths")
            .openMap()
            .required(pattern)
            .openMap()
            .required(method.toLowerCase(Locale.ROOT))
            .openMap();
    DocumentMap schema =
        operation
            .required("responses")
            .openMap()
            .required("200")
            .openMap()
            .required("content")
            .openMap()
            .required("application/json")
            .openMap()
            .required("schema")
            .openMap();
    matches("", Documents.parse(path, answer.body()), schema);
  }

  private void matches(String name, DocumentNode value, DocumentMap schema) {
    DocumentNode reference = schema.optional("$ref");
    if (reference != null) {
      String referenced = reference.text().substring("#/components/schemas/".length());
      matches(
          referenced,
          value,
          description
              .required("components")
              .openMap()
              .required("schemas")
              .openMap()
              .required(referenced)
              .openMap());
      return;
    }
    DocumentNode properties = schema.optional("properties");
    DocumentNode items = schema.optional("items");
    if (properties != null) {
      Map<String, DocumentNode> there = value.openMap().entries();
      Map<String, DocumentNode> known = properties.openMap().entries();
      assertThat(known.keySet()).as(name).containsAll(there.keySet());
      DocumentNode required = schema.optional("required");
      if (required != null) {
        assertThat(there.keySet())
            .as(name)
            .containsAll(required.list().stream().map(DocumentNode::text).toList());
      }
      there.forEach((property, inner) -> {
        seen.add(name + "." + property);
        DocumentNode described = known.get(property);
        if (described != null) {
          matches(name + "." + property, inner, described.openMap());
        }
      });
    } else if (items != null) {
      value.list().forEach(item -> matches(name + "[]", item, items.openMap()));
    } else {
      typed(name, value, schema.required("type"));
    }
  }

  private static void typed(String name, DocumentNode value, DocumentNode type) {
    if (value.isMap()) {
      assertThat(type.text()).as(name).isEqualTo("object");
      return;
    }
    List<String> types =
        isScalar(type)
            ? List.of(type.text())
            : type.list().stream().map(DocumentNode::text).toList();
    String text = value.text();
    boolean fits =
        types.stream()
            .anyMatch(one ->
                switch (one) {
                  case "integer" -> text.matches("-?\\d+");
                  case "number" -> text.matches("-?\\d+(\\.\\d+)?(E-?\\d+)?");
                  case "boolean" -> text.equals("true") || text.equals("false");
                  case "null" -> text.equals("null");
                  default -> one.equals("string");
                });
    assertThat(fits).as(name + ": " + text + " is none of " + types).isTrue();
  }

  private static boolean isScalar(DocumentNode node) {
    try {
      return !node.text().isEmpty();
    } catch (DocumentException e) {
      return false;
    }
  }
}
