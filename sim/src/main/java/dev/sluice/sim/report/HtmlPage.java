package dev.sluice.sim.report;

import dev.sluice.sim.report.svg.ChartStyle;
import dev.sluice.sim.report.svg.Xml;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A page of sections with texts, tables and pictures that needs nothing but itself: no network, no
 * script, no other file. It says so to the browser, which would refuse any of them.
 */
public final class HtmlPage {
  private static final String STYLE =
      """
      :root{color-scheme:light dark;--text:#1f2328;--soft:#59636e;--page:#fff;--card:#f6f8fa;\
      --edge:#d1d9e0;--link:#0969da}
      @media screen and (prefers-color-scheme:dark){:root{--text:#e6edf3;--soft:#9198a1;\
      --page:#0f1318;--card:#171c22;--edge:#343b44;--link:#58a6ff}}
      *{box-sizing:border-box}
      body{margin:0 auto;max-width:1180px;padding:16px;background:var(--page);color:var(--text);\
      font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
      h1{font-size:1.7rem;line-height:1.2;margin:.4em 0;overflow-wrap:anywhere}
      h2{font-size:1.25rem;margin:2em 0 .5em;\
      padding-bottom:.2em;border-bottom:1px solid var(--edge)}
      p{max-width:75ch;margin:.5em 0;overflow-wrap:anywhere;white-space:pre-line}
      nav{display:flex;flex-wrap:wrap;gap:.3em 1.2em;margin:1em 0;font-size:.95rem}
      a{color:var(--link)}
      .scroll{overflow-x:auto;margin:.8em 0}
      table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}
      caption{text-align:left;color:var(--soft);padding:.2em 0;min-width:16em}
      th,td{padding:.3em .7em;text-align:right;border-bottom:1px solid var(--edge);\
      white-space:nowrap}
      th{border-bottom-width:2px}
      th:first-child,td:first-child{text-align:left;max-width:22em;overflow:hidden;\
      text-overflow:ellipsis}
      table.words{width:100%}
      .words th,.words td{text-align:left;vertical-align:top}
      .words td:not(:first-child){white-space:normal}
      .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr));\
      gap:14px;margin:.8em 0}
      figure{margin:0;padding:8px;background:var(--card);border:1px solid var(--edge);\
      border-radius:8px;break-inside:avoid;min-width:0}
      figure:only-child{max-width:720px}
      .chart{display:block;width:100%;height:auto}
      pre{background:var(--card);border:1px solid var(--edge);border-radius:8px;padding:.7em;\
      overflow-x:auto;font-size:.9rem}
      dt{font-weight:600;margin-top:.6em}
      dd{margin:0;max-width:75ch;color:var(--soft)}
      @media (max-width:560px){body{padding:10px;font-size:15px}figure{padding:4px}\
      .chart text{font-size:14px}.chart .small{font-size:12.5px}.chart .name{font-size:16px}}
      @media print{body{max-width:none;padding:0}nav{display:none}\
      .figures{grid-template-columns:1fr 1fr}h2,caption{break-after:avoid}tr{break-inside:avoid}\
      .scroll{overflow:visible}table{font-size:.7rem}}
      """;

  private final String title;
  private final List<Section> sections = new ArrayList<>();

  public HtmlPage(String title) {
    this.title = title;
  }

  /** Begins a section; what is added to it comes in this order. */
  public Section section(String heading) {
    Section section = new Section(heading);
    sections.add(section);
    return section;
  }

  /** A heading with what stands below it. */
  public static final class Section {
    private final String heading;
    private final Xml body = new Xml();

    private Section(String heading) {
      this.heading = heading;
    }

    public Section paragraph(String text) {
      body.element("p", text).newLine();
      return this;
    }

    /** Something to type, as it is. */
    public Section command(String text) {
      body.element("pre", text).newLine();
      return this;
    }

    /** A table of numbers: each row on one line, scrolled where it is too wide. */
    public Section table(ReportTable table) {
      return table(table, "numbers");
    }

    /** A table of sentences, which wrap. */
    public Section sentences(ReportTable table) {
      return table(table, "words");
    }

    private Section table(ReportTable table, String kind) {
      // Reachable by keyboard, because a wide table scrolls.
      body.open("div", "class", "scroll", "tabindex", "0").open("table", "class", kind);
      body.element("caption", table.caption());
      body.open("thead").open("tr");
      table.columns().forEach(column -> body.element("th", column, "scope", "col"));
      body.close().close().open("tbody").newLine();
      for (List<String> row : table.rows()) {
        body.open("tr");
        for (int i = 0; i < row.size(); i++) {
          if (i == 0) {
            body.element("td", row.get(i), "title", row.get(i));
          } else {
            body.element("td", row.get(i));
          }
        }
        body.close().newLine();
      }
      body.close().close().close().newLine();
      return this;
    }

    /** Pictures side by side where there is room. */
    public Section figures(List<String> svgs) {
      body.open("div", "class", "figures").newLine();
      svgs.forEach(svg -> body.open("figure").raw(svg).close().newLine());
      body.close().newLine();
      return this;
    }

    /** Words and what they mean. */
    public Section definitions(Map<String, String> meanings) {
      body.open("dl");
      meanings.forEach((word, meaning) -> body.element("dt", word).element("dd", meaning));
      body.close().newLine();
      return this;
    }
  }

  public String html() {
    Xml page = new Xml();
    page.raw("<!DOCTYPE html>\n");
    page.open("html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml").newLine();
    page.open("head").empty("meta", "charset", "utf-8");
    page.empty(
        "meta",
        "http-equiv",
        "Content-Security-Policy",
        "content",
        "default-src 'none'; style-src 'unsafe-inline'");
    page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    page.element("title", title).newLine();
    page.open("style").raw("\n" + ChartStyle.css() + STYLE).close().close().newLine();
    page.open("body").element("h1", title).newLine();
    page.open("nav", "aria-label", "Contents");
    for (int i = 0; i < sections.size(); i++) {
      page.element("a", sections.get(i).heading, "href", "#s" + (i + 1));
    }
    page.close().open("main").newLine();
    for (int i = 0; i < sections.size(); i++) {
      Section section = sections.get(i);
      page.open("section", "id", "s" + (i + 1)).element("h2", section.heading).newLine();
      page.raw(section.body.toString()).close().newLine();
    }
    page.close().close().close().newLine();
    return page.toString();
  }
}
