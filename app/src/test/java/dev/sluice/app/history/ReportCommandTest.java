package dev.sluice.app.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.sluice.access.AccessTokens;
import dev.sluice.app.Cli;
import dev.sluice.command.CommandClient;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.history.api.HistoryJson;
import dev.sluice.history.api.HistoryRoutes;
import dev.sluice.history.model.Event;
import dev.sluice.history.model.Sample;
import dev.sluice.history.store.HistoryFiles;
import dev.sluice.history.store.HistoryStore;
import dev.sluice.web.server.HttpEndpoint;
import dev.sluice.web.server.HttpSettings;
import dev.sluice.web.server.Routes;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

@Tag("untimed")
class ReportCommandTest {
  private static final String EVIL = "</td><script>alert(1)</script><img src=x onerror='a'> &\"";

  @TempDir Path directory;
  private Path kept;

  /** A quarter of an hour of three jobs, one of which has a name that wants to be HTML. */
  @BeforeEach
  void keepSomeHistory() throws IOException {
    kept = directory.resolve("history");
    long now = System.currentTimeMillis();
    try (HistoryStore store = HistoryStore.open(kept, HistoryStore.BYTES_DEFAULT, now)) {
      for (int second = 300; second > 0; second--) {
        boolean saturated = second > 200;
        store.record(
            new Sample(
                now - 1_000L * second,
                1_000,
                "adaptbf",
                false,
                List.of(
                    new Sample.OfTarget(
                        "disk",
                        100_000_000,
                        TokenUnit.BYTES,
                        12,
                        saturated ? 1_000 : 0,
                        List.of(
                            job("simulation", "anna", 60_000_000, 0),
                            job(EVIL, "bob", 20_000_000, saturated ? 1_000 : 0),
                            job("notebook", "bob", 1_000, 0))))));
      }
      store.record(new Event(now - 5_000, Event.Kind.CHANGE, "root", "", "policy <b>fair</b>"));
      store.record(
          new Event(now - 4_000, Event.Kind.HELD_BACK, "", EVIL, "it has 20 MB/s of 100 MB/s"));
      store.record(new Event(now - 3_000, Event.Kind.ALERT, "", "disk", "target-saturated"));
    }
  }

  private static Sample.OfJob job(String id, String user, long bytes, int heldBackMillis) {
    return new Sample.OfJob(
        id,
        user,
        4,
        100,
        bytes / 2,
        bytes / 2,
        heldBackMillis * 5_000L,
        3,
        20_000_000,
        heldBackMillis);
  }

  private Cli report(String... more) {
    List<String> arguments = new ArrayList<>(List.of("report"));
    arguments.addAll(List.of("--history", kept.toString()));
    arguments.addAll(List.of(more));
    return Cli.run(arguments.toArray(String[]::new));
  }

  @Test
  void tellsOnTheTerminal() {
    Cli cli = report("--since", "1h");
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out())
        .contains("samples of 1 s")
        .containsSubsequence("Users", "anna", "1", "9 GB", "9 GB", "30,000")
        .containsSubsequence("Users", "anna", "bob", "2")
        .containsSubsequence("Jobs", "simulation", "notebook")
        .containsSubsequence("had to wait", "bob", "1.67 min", "its allowance", "it has 20 MB/s")
        .containsSubsequence("served all that they could", "disk", "12", "simulation")
        .containsSubsequence("What was changed", "root", "policy <b>fair</b>")
        .containsSubsequence("Alerts", "target-saturated");
  }

  @Test
  void oneUserAlone() {
    assertThat(report("--since", "1h", "--user", "bob").out())
        .contains("user bob", "notebook")
        .doesNotContain("anna");
    assertThat(report("--since", "1h", "--job", "notebook").out())
        .contains("notebook")
        .doesNotContain("had to wait");
  }

  @Test
  void noNameCanInjectAnything() throws Exception {
    Path page = directory.resolve("out/page.html");
    assertThat(report("--since", "1h", "--out", page.toString()).exitCode()).isZero();
    String html = Files.readString(page);
    assertThat(html)
        .doesNotContain("<script", "<img", "<b>fair")
        .contains("Content-Security-Policy", "default-src", "&lt;script&gt;alert(1)");
    // What a browser makes of it: the name is text, in a cell of its own.
    Document document =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(html.replace("<!DOCTYPE html>", ""))));
    NodeList cells = document.getElementsByTagName("td");
    long found = 0;
    for (int i = 0; i < cells.getLength(); i++) {
      found += cells.item(i).getTextContent().equals(EVIL) ? 1 : 0;
    }
    assertThat(found).as("among the jobs and among those held back").isEqualTo(2);
    assertThat(document.getElementsByTagName("script").getLength()).isZero();
  }

  @Test
  void csvForNotebooks() throws IOException {
    Path csv = directory.resolve("csv");
    assertThat(report("--since", "1h", "--csv", csv.toString()).exitCode()).isZero();
    List<String> samples = Files.readAllLines(csv.resolve("samples.csv"));
    assertThat(samples).hasSize(1 + 900);
    assertThat(samples.getFirst()).startsWith("time,span_s,policy,target,job,user,weight,");
    assertThat(samples.get(1)).contains("Z,1.0,adaptbf,disk,simulation,anna,4,100,30000000,");
    assertThat(samples.get(2)).contains("alert(1)").contains(",\"</td><script>");
    assertThat(Files.readAllLines(csv.resolve("users.csv"))).hasSize(3);
    assertThat(Files.readString(csv.resolve("events.csv"))).contains(",change,root,,policy");
    assertThat(Files.readAllLines(csv.resolve("targets.csv"))).hasSize(301);
  }

  @Test
  void jsonForTheDashboard() throws IOException {
    HistoryFiles files = new HistoryFiles(kept);
    long now = System.currentTimeMillis();
    String json = HistoryJson.curves(files, Map.of("since", "10min", "steps", "60"), now);
    DocumentMap answer = CommandClient.read(json).openMap();
    assertThat(answer.required("seconds").list()).hasSize(60);
    assertThat(answer.required("resolution_s").text()).isEqualTo("10");
    DocumentMap busiest = answer.required("jobs").list().getFirst().openMap();
    assertThat(busiest.required("name").text()).isEqualTo("simulation");
    double bytes = 0;
    for (DocumentNode rate : busiest.required("bytes_per_second").list()) {
      bytes += rate.text().equals("null") ? 0 : 10 * rate.number(0, 1e12);
    }
    assertThat(bytes)
        .as("the curve's area is what was moved")
        .isCloseTo(300 * 60e6, withinPercentage(7));
    assertThat(answer.required("events").list()).hasSize(3);
    assertThatThrownBy(() -> HistoryJson.curves(files, Map.of("steps", "many"), now))
        .hasMessageContaining("steps many: expected 1 to 1000");
    assertThatThrownBy(() -> HistoryJson.curves(files, Map.of("since", "soon"), now))
        .hasMessageContaining("since soon");
  }

  @Test
  void jsonOfAMoment() throws IOException {
    HistoryFiles files = new HistoryFiles(kept);
    long now = System.currentTimeMillis();
    Map<String, String> before =
        Map.of("from_ms", Long.toString(now - 250_000), "to_ms", Long.toString(now - 240_000));
    DocumentMap answer = CommandClient.read(HistoryJson.jobs(files, before, now)).openMap();
    List<DocumentNode> jobs = answer.required("jobs").list();
    assertThat(jobs).hasSize(3);
    DocumentMap busiest = jobs.getFirst().openMap();
    assertThat(busiest.required("job").text()).isEqualTo("simulation");
    assertThat(busiest.required("target").text()).isEqualTo("disk");
    assertThat(busiest.required("read_bytes_per_second").number(0, 1e12))
        .isCloseTo(30e6, withinPercentage(15));
    assertThat(HistoryJson.jobs(files, with(before, "target", "tape"), now))
        .contains("\"jobs\":[]");
    assertThatThrownBy(() -> HistoryJson.jobs(files, Map.of("from_ms", "7"), now))
        .hasMessageContaining("to_ms : expected milliseconds");
    assertThatThrownBy(() -> HistoryJson.jobs(files, with(before, "to_ms", "7"), now))
        .hasMessageContaining("from_ms: expected less than to_ms");
  }

  private static Map<String, String> with(Map<String, String> query, String key, String value) {
    Map<String, String> changed = new HashMap<>(query);
    changed.put(key, value);
    return changed;
  }

  @Test
  void answersOverHttp() throws Exception {
    Routes routes = new Routes();
    new HistoryRoutes(() -> Optional.of(new HistoryFiles(kept))).addTo(routes);
    InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (HttpEndpoint endpoint =
            new HttpEndpoint(
                new HttpSettings(anywhere, Set.of(), null, HttpSettings.WRITE_PATIENCE),
                AccessTokens.none(),
                routes);
        HttpClient client = HttpClient.newHttpClient()) {
      String url = endpoint.url() + "api/v1/history";
      HttpResponse<String> answer = get(client, url + "?since=10min&job=notebook");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).contains("\"name\":\"notebook\"").doesNotContain("simulation");
      HttpResponse<String> bad = get(client, url + "?since=soon");
      assertThat(bad.statusCode()).isEqualTo(400);
      assertThat(bad.body()).contains("since soon: expected a duration");
    }
  }

  private static HttpResponse<String> get(HttpClient client, String url) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void whatIsWrongIsOneLine() {
    assertThat(report("--since", "soon").err()).contains("--since soon", "such as 10min");
    assertThat(report("--since", "1h", "--until", "2h").err()).contains("more than --until 2h");
    Cli none = Cli.run("report", "--history", directory.resolve("nowhere").toString());
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err()).contains("there is no history here", "./sluice serve");
  }
}
