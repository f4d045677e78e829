package dev.sluice.sim.papers;

import dev.sluice.sim.report.HtmlPage;
import dev.sluice.sim.report.ReportTable;
import dev.sluice.sim.report.svg.ChartStyle;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A paper's experiments, repeated, and how to show them. Equal runs give equal texts. */
public record Reproduction(Paper paper, long seed, List<Chapter> chapters) {
  public Reproduction {
    chapters = List.copyOf(chapters);
  }

  /** Everything the paper claims, in its order. */
  public List<Claim> claims() {
    return chapters.stream().flatMap(chapter -> chapter.claims().stream()).toList();
  }

  /** The claims as a table. */
  public static ReportTable table(List<Claim> claims) {
    return new ReportTable(
        "What the paper says and what we see",
        List.of("claim", "paper says", "we see", "holds?"),
        claims.stream()
            .map(c -> List.of(c.id(), c.paper(), c.ours(), c.holds() ? "yes" : "NO"))
            .toList());
  }

  /** All files by name: a page, a text with its pictures, and the claims for programs. */
  public Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("report.html", html());
    files.put("results.md", markdown());
    files.put("claims.json", json() + "\n");
    for (Chapter chapter : chapters) {
      for (Picture picture : chapter.pictures()) {
        files.put(picture.file() + ".svg", ChartStyle.standalone(picture.svg()));
      }
    }
    return files;
  }

  /** The claims: {@code {"claims":[{"id","paper","ours","holds"}]}}. */
  public String json() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeArrayPropertyStart("claims");
      for (Claim claim : claims()) {
        json.writeStartObject();
        json.writeStringProperty("id", claim.id());
        json.writeStringProperty("paper", claim.paper());
        json.writeStringProperty("ours", claim.ours());
        json.writeBooleanProperty("holds", claim.holds());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return text.toString();
  }

  private String command() {
    return "./sluice reproduce " + paper.id() + " --seed " + seed + " --out DIR";
  }

  private String html() {
    HtmlPage page = new HtmlPage(paper.id() + ": the paper's experiments, repeated");
    page.section("The paper, and what holds")
        .paragraph(paper.citation())
        .paragraph("Made by")
        .command(command())
        .sentences(table(claims()));
    for (Chapter chapter : chapters) {
      HtmlPage.Section section = page.section(chapter.heading()).paragraph(chapter.text());
      if (!chapter.claims().isEmpty()) {
        section.sentences(table(chapter.claims()));
      }
      chapter.tables().forEach(section::table);
      section.figures(chapter.pictures().stream().map(Picture::svg).toList());
    }
    return page.html();
  }

  private String markdown() {
    List<String> lines = new ArrayList<>();
    lines.add("# " + paper.id() + ": the paper's experiments, repeated");
    lines.add("");
    lines.add(paper.citation());
    lines.add("");
    lines.add("Made by `" + command() + "`; do not edit.");
    lines.add("");
    addTable(lines, table(claims()));
    for (Chapter chapter : chapters) {
      lines.add("");
      lines.add("## " + chapter.heading());
      lines.add("");
      lines.add(chapter.text());
      for (ReportTable table : chapter.tables()) {
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
