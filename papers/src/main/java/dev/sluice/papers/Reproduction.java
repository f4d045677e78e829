package dev.sluice.papers;

import dev.sluice.sim.report.HtmlPage;
import dev.sluice.sim.report.ReportTable;
import dev.sluice.sim.report.svg.ChartStyle;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A paper's experiments, repeated with several seeds, and how to show them. Equal runs give equal
 * texts. Verdicts and tables are over all seeds; pictures are of the first one.
 *
 * @param seeds how many there are, counted from the first one
 * @param bySeed the chapters of each seed
 */
public record Reproduction(Paper paper, long seed, int seeds, List<List<Chapter>> bySeed) {
  private static final String WITHIN_SPREAD = "within the spread";

  public Reproduction {
    bySeed = bySeed.stream().map(List::copyOf).toList();
    if (bySeed.size() != seeds || seeds < 1) {
      throw new IllegalArgumentException(bySeed.size() + " results of " + seeds + " seeds");
    }
  }

  private List<Chapter> first() {
    return bySeed.getFirst();
  }

  /** Everything the paper claims, in its order. */
  public List<Evidence> claims() {
    List<Evidence> all = new ArrayList<>();
    for (int i = 0; i < first().size(); i++) {
      all.addAll(claims(i));
    }
    return all;
  }

  private List<Evidence> claims(int chapter) {
    List<Evidence> claims = new ArrayList<>();
    for (int i = 0; i < first().get(chapter).claims().size(); i++) {
      int index = i;
      claims.add(
          new Evidence(bySeed.stream().map(one -> one.get(chapter).claims().get(index)).toList()));
    }
    return claims;
  }

  /** A chapter's tables over all seeds. */
  public List<ReportTable> tables(int chapter) {
    List<ReportTable> tables = new ArrayList<>();
    for (int i = 0; i < first().get(chapter).tables().size(); i++) {
      int index = i;
      tables.add(
          FigureTable.over(
              bySeed.stream().map(one -> one.get(chapter).tables().get(index)).toList()));
    }
    return tables;
  }

  /** What each chapter is about. */
  public List<String> headings() {
    return first().stream().map(Chapter::heading).toList();
  }

  /** How many claims got which verdict: {@code 14 hold, 1 does not hold}. */
  public String summary() {
    Map<Verdict, Long> counts =
        claims().stream().collect(Collectors.groupingBy(Evidence::verdict, Collectors.counting()));
    List<String> texts = new ArrayList<>();
    for (Verdict verdict : Verdict.values()) {
      texts.add(verdict.words() + ": " + counts.getOrDefault(verdict, 0L));
    }
    return "Of "
        + claims().size()
        + " claims, "
        + String.join(", ", texts)
        + "."
        + (hasRivals() ? " " + withinSpread() : "");
  }

  private boolean hasRivals() {
    return claims().stream().anyMatch(Evidence::isOfRivals);
  }

  private String withinSpread() {
    List<Evidence> rivals = claims().stream().filter(Evidence::isOfRivals).toList();
    List<String> missed =
        rivals.stream().filter(claim -> !claim.isWithinSpread()).map(Evidence::id).toList();
    return "Of "
        + rivals.size()
        + " that hold ours against a rival, "
        + (rivals.size() - missed.size())
        + " hold within the spread of seeds"
        + (missed.isEmpty() ? "." : "; not so: " + String.join(", ", missed) + ".");
  }

  private ReportTable table(List<Evidence> claims) {
    List<String> columns =
        new ArrayList<>(List.of("claim", "paper says", "condition", "we see", "verdict"));
    if (hasRivals()) {
      columns.add(WITHIN_SPREAD);
    }
    List<List<String>> rows = new ArrayList<>();
    for (Evidence claim : claims) {
      List<String> row =
          new ArrayList<>(
              List.of(claim.id(), claim.paper(), claim.criterion(), claim.ours(), said(claim)));
      if (hasRivals()) {
        row.add(claim.isOfRivals() ? claim.isWithinSpread() ? "yes" : "no" : "");
      }
      rows.add(row);
    }
    return new ReportTable("What the paper says and what we see", columns, rows);
  }

  /** What verdicts mean, and what else is said of claims. */
  private Map<String, String> meanings() {
    Map<String, String> meanings = new LinkedHashMap<>();
    for (Verdict verdict : Verdict.values()) {
      meanings.put(verdict.words(), verdict.meaning());
    }
    if (hasRivals()) {
      meanings.put(WITHIN_SPREAD, Rivals.MEANING);
    }
    return meanings;
  }

  /** The verdict with what it rests on, and why it is not better. */
  private static String said(Evidence claim) {
    String verdict = claim.verdict().words() + " (" + claim.counts() + ")";
    return claim.why().isBlank() || claim.verdict() == Verdict.HOLDS
        ? verdict
        : verdict + ": " + claim.why();
  }

  private String howToRead() {
    return "A figure is the median "
        + seedsInWords()
        + ", with the least and the most in brackets. A verdict says in brackets with how many of"
        + " them the condition is met; conditions are tried on figures as they are written here."
        + " Pictures are of seed "
        + seed
        + ".";
  }

  private String seedsInWords() {
    return seeds == 1
        ? "over one seed, " + seed
        : "over "
            + seeds
            + " seeds, "
            + LongStream.range(seed, seed + seeds)
                .mapToObj(Long::toString)
                .collect(Collectors.joining(", "));
  }

  /** All files by name: a page, a text with its pictures, and the claims for programs. */
  public Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("report.html", html());
    files.put("results.md", markdown());
    files.put("claims.json", json() + "\n");
    for (Chapter chapter : first()) {
      for (Picture picture : chapter.pictures()) {
        files.put(picture.file() + ".svg", ChartStyle.standalone(picture.svg()));
      }
    }
    return files;
  }

  /**
   * The claims, each with its verdict over all seeds and with what each of them showed: {@code
   * {"seeds":[1],"claims":[{"id","paper","criterion","verdict","met","withinSpread","why","ours",
   * "bySeed":[{"seed","grade","ours"}]}]}}.
   */
  public String json() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeArrayPropertyStart("seeds");
      for (int i = 0; i < seeds; i++) {
        json.writeNumber(seed + i);
      }
      json.writeEndArray();
      json.writeArrayPropertyStart("claims");
      claims().forEach(claim -> write(claim, json));
      json.writeEndArray();
      json.writeEndObject();
    }
    // A claim on each line, so that people can read what changed.
    return text.toString().replace("{\"id\"", "\n{\"id\"");
  }

  private void write(Evidence claim, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("id", claim.id());
    json.writeStringProperty("paper", claim.paper());
    json.writeStringProperty("criterion", claim.criterion());
    json.writeStringProperty("verdict", claim.verdict().words());
    json.writeNumberProperty("met", claim.met());
    if (claim.isOfRivals()) {
      json.writeBooleanProperty("withinSpread", claim.isWithinSpread());
    }
    json.writeStringProperty("why", claim.why());
    json.writeStringProperty("ours", claim.ours());
    json.writeArrayPropertyStart("bySeed");
    for (int i = 0; i < claim.bySeed().size(); i++) {
      Claim one = claim.bySeed().get(i);
      json.writeStartObject();
      json.writeNumberProperty("seed", seed + i);
      json.writeStringProperty("grade", one.grade().words());
      json.writeStringProperty("ours", one.ours());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private String command() {
    return "./sluice "
        + paper.command()
        + " --seed "
        + seed
        + (paper.isLive() ? "" : " --seeds " + seeds)
        + " --out DIR";
  }

  private String html() {
    HtmlPage page = new HtmlPage(paper.title());
    page.section("The paper, and what holds")
        .paragraph(paper.citation())
        .paragraph("Made by")
        .command(command())
        .paragraph(summary() + " " + howToRead())
        .definitions(meanings())
        .sentences(table(claims()));
    for (int i = 0; i < first().size(); i++) {
      Chapter chapter = first().get(i);
      HtmlPage.Section section = page.section(chapter.heading()).paragraph(chapter.text());
      if (!chapter.claims().isEmpty()) {
        section.sentences(table(claims(i)));
      }
      tables(i).forEach(section::table);
      section.figures(chapter.pictures().stream().map(Picture::svg).toList());
    }
    return page.html();
  }

  private String markdown() {
    List<String> lines = new ArrayList<>();
    lines.add("# " + paper.title());
    lines.add("");
    lines.add(paper.citation());
    lines.add("");
    lines.add("Made by `" + command() + "`; do not edit.");
    lines.add("");
    lines.add(summary() + " " + howToRead());
    lines.add("");
    meanings().forEach((words, meaning) -> lines.add("- **" + words + "**: " + meaning + "."));
    lines.add("");
    addTable(lines, table(claims()));
    for (int i = 0; i < first().size(); i++) {
      Chapter chapter = first().get(i);
      lines.add("");
      lines.add("## " + chapter.heading());
      lines.add("");
      lines.add(chapter.text());
      for (ReportTable table : tables(i)) {
        lines.add("");
        lines.add(table.caption() + ":");
        lines.add("");
        addTable(lines, table);
      }
      for (Picture picture : chapter.pictures()) {
        lines.add("");
        lines.add("![" + picture.caption() + "](" + picture.file() + ".svg)");
      }
    }
    return String.join("\n", lines) + "\n";
  }

  private static void addTable(List<String> lines, ReportTable table) {
    lines.add("| " + String.join(" | ", table.columns()) + " |");
    lines.add("|" + "---|".repeat(table.columns().size()));
    for (List<String> row : table.rows()) {
      lines.add(
          "| "
              + String.join(" | ", row.stream().map(cell -> cell.replace("|", "\\|")).toList())
              + " |");
    }
  }
}
