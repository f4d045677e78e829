package dev.sluice.sim.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.sim.result.RunResult;
import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

class ReportFilesTest {
  private static final String HOSTILE = "</title><script src=\"http://x\">,\"'&";
  private static final List<String> NAMES = List.of("a", "b", HOSTILE, "=hog");

  @Test
  void equalRunsGiveEqualBytes() throws IOException {
    assertThat(texts(small())).isEqualTo(texts(small()));
  }

  @Test
  void thePageIsWellFormedAndNeedsNothingElse() throws Exception {
    String html = HtmlReport.text(small());
    Document page = parse(html);
    assertThat(page.getElementsByTagName("script").getLength()).isZero();
    assertThat(page.getElementsByTagName("link").getLength()).isZero();
    NodeList all = page.getElementsByTagName("*");
    for (int i = 0; i < all.getLength(); i++) {
      Element element = (Element) all.item(i);
      assertThat(element.hasAttribute("src")).isFalse();
      assertThat(element.getAttribute("href")).matches("|#s\\d+");
      assertThat(element.getAttribute("onclick")).isEmpty();
    }
    assertThat(html).contains("default-src 'none'".replace("'", "&#39;"));
    assertThat(page.getElementsByTagName("title").item(0).getTextContent())
        .isEqualTo("Lend and give back");
  }

  @Test
  void thePageHasAllPictures() throws Exception {
    Document page = parse(HtmlReport.text(small()));
    NodeList svgs = page.getElementsByTagName("svg");
    List<String> titles =
        IntStream.range(0, svgs.getLength())
            .mapToObj(i -> ((Element) svgs.item(i)).getElementsByTagName("text").item(0))
            .map(text -> text.getTextContent())
            .toList();
    assertThat(titles)
        .containsExactly(
            "Throughput of all jobs together",
            "Throughput of each job",
            "Throughput gained and lost against none",
            "I/O slowdown of each job",
            "none: throughput of each job",
            "none: throughput of all jobs, stacked",
            "adaptbf: throughput of each job",
            "adaptbf: throughput of all jobs, stacked",
            "adaptbf: demand of each job",
            "adaptbf: record of each job",
            "Utilisation of each target",
            "none: requests queued at each target",
            "adaptbf: requests queued at each target");
  }

  @Test
  void aPageOfManyJobsIsBounded() throws Exception {
    List<String> names = IntStream.range(0, 2_000).mapToObj(i -> "job" + i).toList();
    Report report =
        SampleRuns.report(
            "", List.of(SampleRuns.run("none", names, 60), SampleRuns.run("adaptbf", names, 60)));
    String html = HtmlReport.text(report);
    parse(html);
    assertThat(html.length()).isLessThan(1_500_000);
    assertThat(html).contains("1980 other jobs").contains("1,980 more are in jobs.csv");
    assertThat(texts(report, "jobs.csv").lines().count()).isEqualTo(1 + 2 * 2_000);
  }

  @Test
  void csvHasTheSameNumberOfCellsInEveryLine() throws IOException {
    texts(small())
        .forEach((name, text) -> {
          if (name.endsWith(".csv")) {
            List<Integer> counts = text.lines().map(line -> cells(line)).distinct().toList();
            assertThat(counts).as(name).hasSize(1);
            assertThat(text.lines().count()).as(name).isGreaterThan(1);
          }
        });
  }

  @Test
  void theTimelineAddsUpToTheBytes() {
    double bytes =
        texts(small(), "timeline.csv")
                .lines()
                .filter(line -> line.startsWith("none,a,"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(',') + 1)))
                .sum()
            / 10;
    assertThat(Math.round(bytes)).isEqualTo(small().first().result().jobs().getFirst().bytes());
  }

  @Test
  void jsonIsReadBackWithEveryJob() {
    String json = ResultJson.text(small());
    int jobs = 0;
    boolean hostileSeen = false;
    try (JsonParser parser =
        new JsonFactory().createParser(ObjectReadContext.empty(), new StringReader(json))) {
      while (parser.nextToken() != null) {
        String text = String.valueOf(parser.getString());
        jobs += text.equals("job") ? 1 : 0;
        hostileSeen |= text.equals(HOSTILE);
      }
    }
    assertThat(jobs).isEqualTo(2 * NAMES.size());
    assertThat(hostileSeen).isTrue();
    assertThat(json).doesNotContain("\r").contains("\"seed\" : 7");
  }

  @Test
  void tablesTellGainsAgainstTheFirstPolicy() {
    ReportTable jobs = new Comparison(small()).jobs();
    assertThat(jobs.columns()).contains("vs none");
    assertThat(jobs.rows()).hasSize(2 * NAMES.size());
    assertThat(jobs.rows().get(0).get(4)).isEmpty();
    assertThat(jobs.rows().get(1).get(4)).matches("[+-]?\\d+\\.\\d %");
    ReportTable alone =
        new Comparison(SampleRuns.report("", List.of(SampleRuns.run("none", NAMES, 10)))).jobs();
    assertThat(alone.columns()).doesNotContain("vs none");
  }

  @Test
  void aJobWithoutAnEndHasNoCompletion() {
    ReportTable jobs = new Comparison(small()).jobs();
    List<String> unfinished = jobs.rows().getLast();
    assertThat(unfinished.get(jobs.columns().indexOf("completion"))).isEqualTo("–");
    assertThat(unfinished.get(jobs.columns().indexOf("slowdown"))).isEqualTo("–");
    assertThat(texts(small(), "jobs.csv")).contains("none,=hog,4,0,0,,0,,");
  }

  @Test
  void cellsThatWouldBreakALineAreQuoted() {
    assertThat(ResultCsv.quoted("plain name")).isEqualTo("plain name");
    assertThat(ResultCsv.quoted("a,b")).isEqualTo("\"a,b\"");
    assertThat(ResultCsv.quoted("say \"x\"")).isEqualTo("\"say \"\"x\"\"\"");
    assertThat(ResultCsv.quoted(" x")).isEqualTo("\" x\"");
  }

  @Test
  void numbersAreTheSameEverywhere() {
    assertThat(Numbers.plain(1.5)).isEqualTo("1.5");
    assertThat(Numbers.plain(1e12)).isEqualTo("1000000000000");
    assertThat(Numbers.plain(1.0 / 3)).isEqualTo("0.333333");
    assertThat(Numbers.plain(-1e-9)).isEqualTo("0");
    assertThat(Numbers.seconds(1_500_000_000L)).isEqualTo("1.5");
    assertThat(Numbers.seconds(1)).isEqualTo("0.000000001");
    assertThat(Numbers.count(1_234_567)).isEqualTo("1,234,567");
  }

  @Test
  void aReportNeedsARun() {
    assertThatThrownBy(() -> new Report(small().origin(), List.of()))
        .hasMessage("a report needs at least one run");
  }

  private static Report small() {
    List<RunResult> runs =
        Stream.of("none", "adaptbf").map(policy -> SampleRuns.run(policy, NAMES, 60)).toList();
    return SampleRuns.report("Four jobs <b>of</b> which one is rude.", runs);
  }

  private static Map<String, String> texts(Report report) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<String, ReportFiles.Content> file : ReportFiles.of(report).entrySet()) {
      StringBuilder text = new StringBuilder();
      file.getValue().writeTo(text);
      texts.put(file.getKey(), text.toString());
    }
    return texts;
  }

  private static String texts(Report report, String file) {
    try {
      return texts(report).getOrDefault(file, "");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Cells of a line, commas in quotes not counted. */
  private static int cells(String line) {
    int cells = 1;
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      quoted ^= c == '"';
      cells += c == ',' && !quoted ? 1 : 0;
    }
    return cells;
  }

  private static Document parse(String html) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(html)));
  }
}
