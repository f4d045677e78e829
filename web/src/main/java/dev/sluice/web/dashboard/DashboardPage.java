package dev.sluice.web.dashboard;

import dev.sluice.web.server.Routes;
import dev.sluice.web.server.StaticFiles;
import java.util.List;

/** The dashboard's files. */
public final class DashboardPage {
  private static final StaticFiles FILES =
      StaticFiles.beside(
          DashboardPage.class,
          List.of(
              "index.html",
              "dashboard.css",
              "icon.svg",
              "main.js",
              "api.js",
              "begin.js",
              "cards.js",
              "chart.js",
              "colors.js",
              "controls.js",
              "course.js",
              "document.js",
              "dom.js",
              "feed.js",
              "format.js",
              "model.js",
              "panel.js",
              "past.js",
              "ranking.js",
              "targets.js"));

  private DashboardPage() {}

  /** Adds the page. */
  public static void addTo(Routes routes) {
    FILES.addTo(routes, "/", "index.html");
  }

  /** How many bytes a first view takes, without what is live. */
  public static int transferredBytes() {
    return FILES.transferredBytes();
  }
}
