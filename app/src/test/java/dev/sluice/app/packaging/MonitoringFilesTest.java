package dev.sluice.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.app.Cli;
import dev.sluice.app.Policies;
import dev.sluice.app.history.GatewayHistory;
import dev.sluice.app.history.HistoryAdditions;
import dev.sluice.app.history.HistorySettings;
import dev.sluice.core.model.Quantities;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.gateway.ControllerConnection;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.Surroundings;
import dev.sluice.gateway.admin.FailoverControl;
import dev.sluice.stage.agent.AgentProcess;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.library.PreloadLibrary;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What packaging/ holds for Prometheus and Grafana, held against metrics that are really there. */
@Timeout(120)
class MonitoringFilesTest {
  private static final Path RULES = Cli.inTree("packaging/prometheus/sluice.rules.yml");
  private static final Path METRICS = Cli.inTree("docs/alerts.md");
  private static final Path DASHBOARD = Cli.inTree("packaging/grafana/sluice.json");
  private static final Pattern NAME = Pattern.compile("\\bsluice_[a-z0-9_]+");
  private static final Pattern TYPE =
      Pattern.compile("(?m)^# TYPE (\\S+) (counter|gauge|histogram)$");

  @TempDir Path directory;

  /** Of a gateway that took over from another: one that serves alone has nothing to tell of it. */
  private static final class SecondTurn implements FailoverControl {
    @Override
    public Turn turn() {
      return new Turn("gw2", true, "gw2", 2, 3_000_000_000L, 1_000_000_000L, 4_000_000_000L, null);
    }

    @Override
    public void handOver() {
      throw new IllegalArgumentException("there is nobody else");
    }

    @Override
    public void take() {
      throw new IllegalArgumentException("it serves");
    }
  }

  /** The metrics of a gateway and an agent that run, by name. */
  private Set<String> measured() throws IOException, InterruptedException {
    Set<String> names = new TreeSet<>();
    Files.createDirectory(directory.resolve("data"));
    Path file = directory.resolve("sluice.yaml");
    Files.writeString(
        file,
        """
        nfs-port: 0
        mount-port: 0
        state: state
        dashboard: 127.0.0.1:0
        targets: {disk: {capacity: 100 MB/s}, array: {capacity: auto}}
        goals: [{user: alice, p99: 20 ms}]
        exports:
          /scratch: {directory: data, target: disk, privileged-ports: false}
          /found: {directory: data, target: array, privileged-ports: false}
        """);
    HistoryAdditions additions = new HistoryAdditions();
    Surroundings surroundings =
        new Surroundings(additions.web(), new SecondTurn(), ControllerConnection.Maker.NONE);
    try (Gateway gateway = Gateway.start(file, Policies.ALL, surroundings);
        HttpClient client = HttpClient.newHttpClient();
        GatewayHistory history =
            Objects.requireNonNull(
                GatewayHistory.begin(gateway, file, HistorySettings.read(file)))) {
      additions.follow(history.keeper());
      URI page = URI.create(gateway.dashboardAddress().orElseThrow() + "metrics");
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      addNames(answer.body(), names);
    }
    StageDirectory stage = new StageDirectory(directory.resolve("stage"));
    try (AgentProcess _ = new AgentProcess(stage, Long.MAX_VALUE)) {
      Cli cli = Cli.run("agent", "metrics", "--directory", stage.path().toString());
      assertThat(cli.err()).isEmpty();
      addNames(cli.out(), names);
    }
    return names;
  }

  private static void addNames(String page, Set<String> names) {
    Matcher types = TYPE.matcher(page);
    int before = names.size();
    while (types.find()) {
      names.add(types.group(1));
      if (types.group(2).equals("histogram")) {
        Stream.of("_bucket", "_sum", "_count").forEach(part -> names.add(types.group(1) + part));
      }
    }
    assertThat(names).as("a page without a metric is none").hasSizeGreaterThan(before);
  }

  /** Every value of these keys, wherever in a document. */
  private static List<String> values(DocumentNode node, Set<String> keys) {
    List<String> found = new ArrayList<>();
    if (node.isMap()) {
      node.openMap()
          .entries()
          .forEach((key, value) -> {
            if (keys.contains(key) && !value.isMap() && !isList(value)) {
              found.add(value.text());
            } else {
              found.addAll(values(value, keys));
            }
          });
    } else if (isList(node)) {
      node.list().forEach(item -> found.addAll(values(item, keys)));
    }
    return found;
  }

  private static boolean isList(DocumentNode node) {
    try {
      node.text();
      return false;
    } catch (DocumentException e) {
      return true;
    }
  }

  /** What expressions name and nobody measures. */
  private static Set<String> unknown(List<String> expressions, Set<String> measured) {
    Set<String> unknown = new TreeSet<>();
    for (String expression : expressions) {
      Matcher names = NAME.matcher(expression);
      while (names.find()) {
        unknown.add(names.group());
      }
    }
    unknown.removeAll(measured);
    return unknown;
  }

  private static List<String> expressions(Path file) throws IOException {
    DocumentNode root = Documents.parse(file.toString(), Files.readString(file));
    return values(root, Set.of("expr", "query"));
  }

  @Test
  void everyMetricThatIsDocumentedIsMeasured() throws Exception {
    assumeTrue(PreloadLibrary.find().isPresent(), "the stage was built without a C compiler");
    List<String> rows =
        Files.readAllLines(METRICS).stream().filter(line -> line.startsWith("| `sluice_")).toList();
    assertThat(rows).hasSizeGreaterThan(10);
    assertThat(unknown(rows, measured())).isEmpty();
  }

  @Test
  void everyMetricThatIsNamedIsMeasured() throws Exception {
    assumeTrue(
        PreloadLibrary.find().isPresent(),
        "libsluice.so was not built: no C compiler, so there is no agent to ask");
    Set<String> measured = measured();
    for (Path file : List.of(RULES, DASHBOARD)) {
      List<String> expressions = expressions(file);
      assertThat(expressions).hasSizeGreaterThan(5);
      assertThat(unknown(expressions, measured)).as(file + " names what is not there").isEmpty();
      String renamed = String.join(" ", expressions).replace("sluice_", "sluice_no_");
      assertThat(unknown(List.of(renamed), measured)).as("the check can fail").isNotEmpty();
    }
  }

  @Test
  void everyExpressionIsBalanced() throws IOException {
    for (Path file : List.of(RULES, DASHBOARD)) {
      for (String expression : expressions(file)) {
        checkBalance(expression);
      }
    }
    assertThatThrownBy(() -> checkBalance("sum(rate(x[5m])")).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> checkBalance("x{a=\"b\"")).isInstanceOf(AssertionError.class);
  }

  private static void checkBalance(String expression) {
    StringBuilder open = new StringBuilder();
    String withoutTexts = expression.replaceAll("\"[^\"]*\"", "");
    for (int i = 0; i < withoutTexts.length(); i++) {
      char c = withoutTexts.charAt(i);
      int closing = ")]}".indexOf(c);
      if ("([{".indexOf(c) >= 0) {
        open.append(c);
      } else if (closing >= 0) {
        assertThat(open).as(expression).endsWith(String.valueOf("([{".charAt(closing)));
        open.setLength(open.length() - 1);
      }
    }
    assertThat(open).as(expression).isEmpty();
    assertThat(withoutTexts).as(expression).doesNotContain("\"");
  }

  @Test
  void everyRuleSaysWhatIsWrongAndHowBadItIs() throws IOException {
    DocumentNode root = Documents.parse(RULES.toString(), Files.readString(RULES));
    Set<String> names = new TreeSet<>();
    for (DocumentNode group : root.map("groups").required("groups").list()) {
      DocumentMap named = group.map("name", "rules");
      assertThat(named.required("name").text()).isNotEmpty();
      for (DocumentNode node : named.required("rules").list()) {
        DocumentMap rule = node.map("alert", "expr", "for", "labels", "annotations");
        assertThat(names.add(rule.required("alert").text())).as("one of each name").isTrue();
        assertThat(rule.required("alert").text()).matches("Sluice[A-Za-z]+");
        assertThat(rule.required("expr").text()).contains("sluice_");
        DocumentNode lasts = rule.optional("for");
        if (lasts != null) {
          assertThat(Quantities.parseDurationNanos(lasts.text().replaceAll("m$", "min")))
              .isPositive();
        }
        DocumentMap labels = rule.required("labels").map("severity");
        labels.required("severity").oneOf(List.of("info", "warning", "critical"));
        DocumentMap annotations = rule.required("annotations").map("summary", "description");
        assertThat(annotations.required("summary").text()).isNotBlank();
        assertThat(annotations.required("description").text()).isNotBlank();
      }
    }
    assertThat(names).hasSizeGreaterThan(5);
  }

  /** Where somebody has Prometheus' own tool, it must agree. */
  @Test
  void prometheusOwnToolAgreesWhereItIsInstalled() throws Exception {
    Path tool = Path.of("/usr/bin/promtool");
    assumeTrue(Files.isExecutable(tool), "promtool is not installed");
    Process check =
        new ProcessBuilder(tool.toString(), "check", "rules", RULES.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(check.waitFor()).as(said).isZero();
  }

  @Test
  void thePanelsOfTheDashboardDoNotOverlap() throws IOException {
    DocumentNode root = Documents.parse(DASHBOARD.toString(), Files.readString(DASHBOARD));
    Set<String> taken = new TreeSet<>();
    for (DocumentNode panel : root.openMap().required("panels").list()) {
      DocumentMap place = panel.openMap().required("gridPos").map("x", "y", "w", "h");
      long x = place.required("x").whole(0, 23);
      long y = place.required("y").whole(0, 1_000);
      for (long i = 0; i < place.required("w").whole(1, 24 - x); i++) {
        for (long j = 0; j < place.required("h").whole(1, 100); j++) {
          assertThat(taken.add((x + i) + "," + (y + j))).isTrue();
        }
      }
    }
  }
}
