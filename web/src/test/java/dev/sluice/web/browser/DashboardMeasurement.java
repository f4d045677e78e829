package dev.sluice.web.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.testkit.TimePasses;
import dev.sluice.web.SluiceWeb;
import dev.sluice.web.SyntheticProgram;
import dev.sluice.web.WebSettings;
import dev.sluice.web.dashboard.DashboardPage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Measures what the dashboard costs, in CPU time, which other programs on the machine hardly
 * change, and how long a first view takes, which they do; each against its bar. {@code ./sluice
 * bench web} runs it, and fails where a bar is missed; it is no part of the gate.
 */
class DashboardMeasurement {
  private static final int JOBS = 1_000;
  private static final int VIEWERS = 10;
  private static final int SECONDS = 30;
  private static final int WARM_UP_SECONDS = 20;

  private static final int VIEWS = 5;

  private static final double FIRST_VIEW_MILLIS_MAX = 1_000;
  private static final double TRANSFERRED_KILOBYTES_MAX = 150;
  private static final double BROWSER_PERCENT_MAX = 30;
  private static final double VIEWERS_PERCENT_MAX = 2;

  private static final int MANY_JOBS = 10_000;
  private static final int MANY_TARGETS = 200;
  private static final double MANY_FIRST_VIEW_MILLIS_MAX = 2_000;
  private static final double MANY_KILOBYTES_PER_SECOND_MAX = 500;
  private static final double LONGEST_TASK_MILLIS_MAX = 200;

  private final List<String> missed = new ArrayList<>();

  /** Ticks of /proc in a second. */
  private static final double TICKS = 100;

  @Test
  void measure() throws IOException, InterruptedException {
    SyntheticProgram program =
        new SyntheticProgram(SyntheticProgram.crowd(JOBS), System::currentTimeMillis);
    try (SluiceWeb web = ServedProgram.serve(program, WebSettings.anywhere())) {
      say("files of the page, compressed: " + DashboardPage.transferredBytes() + " bytes");
      server(web);
      browser(web);
    }
    assertThat(missed).as("bars that were missed").isEmpty();
  }

  /** A large site: what a browser is sent each second, and how long it is busy at a stretch. */
  @Test
  void measureManyTargets() throws IOException, InterruptedException {
    SyntheticProgram program =
        new SyntheticProgram(
            SyntheticProgram.crowd(MANY_JOBS), MANY_TARGETS, System::currentTimeMillis);
    try (SluiceWeb web = ServedProgram.serve(program, WebSettings.anywhere());
        Browser browser = new Browser(1280, 900)) {
      browser.resize(1280, 900, false);
      List<Double> views = new ArrayList<>();
      for (int i = 0; i <= VIEWS; i++) {
        browser.open("about:blank");
        browser.open(web.url());
        browser.await("performance.getEntriesByName('first-view').length === 1");
        views.add(
            Double.parseDouble(
                browser.run("return performance.getEntriesByName('first-view')[0].startTime")));
      }
      // The first one is the browser's own.
      views.removeFirst();
      views.sort(null);
      hold(
          "first view, median of " + VIEWS, views.get(VIEWS / 2), MANY_FIRST_VIEW_MILLIS_MAX, "ms");
      browser.run(
          "window.longTasks = []; new PerformanceObserver((list) => list.getEntries().forEach("
              + "(one) => window.longTasks.push(one.duration))).observe({type: 'longtask'});"
              + " return 0");
      long before = ticks(browser, "--type=renderer");
      double sent = kilobytesPerSecond(URI.create(web.url()).getPort());
      say(
          String.format(
              Locale.ROOT,
              "browser's renderer, %d jobs on %d targets at 1 Hz: %.1f %% of a core",
              MANY_JOBS,
              MANY_TARGETS,
              100 * (ticks(browser, "--type=renderer") - before) / TICKS / SECONDS));
      hold("sent to a browser, each second", sent, MANY_KILOBYTES_PER_SECOND_MAX, "kB");
      hold(
          "its longest task in that time",
          Double.parseDouble(browser.run("return Math.max(0, ...window.longTasks)")),
          LONGEST_TASK_MILLIS_MAX,
          "ms");
      say("tasks of more than 50 ms: " + browser.run("return window.longTasks.length"));
      Files.write(Path.of("target", "many-targets.png"), browser.picture());
    }
    assertThat(missed).as("bars that were missed").isEmpty();
  }

  /** What comes to somebody who follows the events for as long as is measured. */
  private static double kilobytesPerSecond(int port) throws IOException, InterruptedException {
    Process viewer =
        new ProcessBuilder(
                "bash",
                "-c",
                """
                exec 3<>/dev/tcp/127.0.0.1/%d
                printf 'GET /api/v1/events HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n' >&3
                timeout %d cat <&3 | wc -c
                """
                    .formatted(port, SECONDS))
            .start();
    String bytes = new String(viewer.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    viewer.waitFor();
    return Long.parseLong(bytes.strip()) / 1e3 / SECONDS;
  }

  /** Says a figure and whether it is below its bar. */
  private void hold(String what, double value, double bar, String unit) {
    String line =
        String.format(Locale.ROOT, "%s: %.1f %s, bar %.0f %s", what, value, unit, bar, unit);
    say(line);
    if (value > bar) {
      missed.add(line);
    }
  }

  private void server(SluiceWeb web) throws IOException, InterruptedException {
    TimePasses.forMillis(1_000L * WARM_UP_SECONDS);
    double alone = serverPercent();
    List<Process> viewers = new ArrayList<>();
    try {
      for (int i = 0; i < VIEWERS; i++) {
        viewers.add(viewer(URI.create(web.url()).getPort()));
      }
      TimePasses.forMillis(5_000);
      double watched = serverPercent();
      if (!viewers.stream().allMatch(Process::isAlive)) {
        throw new IOException("a viewer was let go");
      }
      say(
          String.format(
              Locale.ROOT,
              "server, %d jobs on 2 targets: %.2f %% of a core, of which the frame takes %.2f %%"
                  + " (made once, with the status it is made of)",
              JOBS,
              watched,
              alone));
      hold(
          "server, for " + VIEWERS + " viewers more",
          watched - alone,
          VIEWERS_PERCENT_MAX,
          "% of a core");
    } finally {
      viewers.forEach(Process::destroy);
    }
  }

  /** Follows the events and throws them away, in a process of its own. */
  private static Process viewer(int port) throws IOException {
    String script =
        """
        exec 3<>/dev/tcp/127.0.0.1/%d
        printf 'GET /api/v1/events HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n' >&3
        exec cat <&3 >/dev/null
        """
            .formatted(port);
    return new ProcessBuilder("bash", "-c", script).start();
  }

  private static double serverPercent() throws InterruptedException {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long beforeNanos = system.getProcessCpuTime();
    TimePasses.forMillis(1_000L * SECONDS);
    return (system.getProcessCpuTime() - beforeNanos) / 1e7 / SECONDS;
  }

  private void browser(SluiceWeb web) throws IOException, InterruptedException {
    try (Browser browser = new Browser(1280, 900)) {
      browser.resize(1280, 900, false);
      browser.open(web.url());
      browser.await("performance.getEntriesByName('first-view').length === 1");
      List<Double> views = new ArrayList<>();
      long ticksBefore = ticks(browser, "");
      for (int i = 0; i < VIEWS; i++) {
        browser.open("about:blank");
        browser.open(web.url());
        browser.await("performance.getEntriesByName('first-view').length === 1");
        views.add(
            Double.parseDouble(
                browser.run("return performance.getEntriesByName('first-view')[0].startTime")));
      }
      views.sort(null);
      hold(
          "first view, from the navigation until it is drawn, median of " + VIEWS,
          views.get(VIEWS / 2),
          FIRST_VIEW_MILLIS_MAX,
          "ms");
      say(
          String.format(
              Locale.ROOT,
              "CPU time of all the browser's processes for a view: %.0f ms",
              1e3 * (ticks(browser, "") - ticksBefore) / TICKS / views.size()));
      // Only what came before the view; 300 bytes are about what the headers of an answer take.
      hold(
          "transferred for it",
          Double.parseDouble(
                  browser.run(
                      "const seen = performance.getEntriesByName('first-view')[0].startTime;"
                          + "return performance.getEntriesByType('resource')"
                          + ".concat(performance.getEntriesByType('navigation'))"
                          + ".filter((one) => one.startTime < seen)"
                          + ".reduce((sum, one) => sum + one.encodedBodySize + 300, 0)"))
              / 1e3,
          TRANSFERRED_KILOBYTES_MAX,
          "kB");
      TimePasses.forMillis(1_000L * WARM_UP_SECONDS);
      long before = ticks(browser, "--type=renderer");
      long beforeAll = ticks(browser, "");
      TimePasses.forMillis(1_000L * SECONDS);
      hold(
          "browser's renderer, " + JOBS + " jobs at 1 Hz",
          100 * (ticks(browser, "--type=renderer") - before) / TICKS / SECONDS,
          BROWSER_PERCENT_MAX,
          "% of a core");
      say(
          String.format(
              Locale.ROOT,
              "all the browser's processes: %.1f %% of a core",
              100 * (ticks(browser, "") - beforeAll) / TICKS / SECONDS));
    }
  }

  /** The CPU time of the browser's processes that have this in their command line. */
  private static long ticks(Browser browser, String kind) {
    try (Stream<ProcessHandle> processes = browser.process().descendants()) {
      return processes.mapToLong(process -> ticks(process.pid(), kind)).sum();
    }
  }

  private static long ticks(long pid, String kind) {
    try {
      Path process = Path.of("/proc", Long.toString(pid));
      if (!Files.readString(process.resolve("cmdline")).contains(kind)) {
        return 0;
      }
      String stat = Files.readString(process.resolve("stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    } catch (IOException e) {
      // It is gone.
      return 0;
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
