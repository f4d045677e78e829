package dev.sluice.web.browser;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.web.SluiceWeb;
import dev.sluice.web.SyntheticProgram;
import dev.sluice.web.WebSettings;
import dev.sluice.web.dashboard.DashboardPage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Measures what the dashboard costs, in CPU time, which other programs on the machine hardly
 * change. {@code ./sluice bench web} runs it; it is no part of the gate.
 */
class DashboardMeasurement {
  private static final int JOBS = 1_000;
  private static final int VIEWERS = 10;
  private static final int SECONDS = 30;
  private static final int WARM_UP_SECONDS = 20;

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
  }

  private static void server(SluiceWeb web) throws IOException, InterruptedException {
    Thread.sleep(1_000L * WARM_UP_SECONDS);
    double alone = serverPercent();
    List<Process> viewers = new ArrayList<>();
    try {
      for (int i = 0; i < VIEWERS; i++) {
        viewers.add(viewer(URI.create(web.url()).getPort()));
      }
      Thread.sleep(5_000);
      double watched = serverPercent();
      if (!viewers.stream().allMatch(Process::isAlive)) {
        throw new IOException("a viewer was let go");
      }
      say(
          String.format(
              Locale.ROOT,
              "server, %d jobs on 2 targets: %.2f %% of a core, of which the frame takes %.2f %%"
                  + " (made once, with the status it is made of) and %d viewers %.2f %%",
              JOBS,
              watched,
              alone,
              VIEWERS,
              watched - alone));
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
    Thread.sleep(1_000L * SECONDS);
    return (system.getProcessCpuTime() - beforeNanos) / 1e7 / SECONDS;
  }

  private static void browser(SluiceWeb web) throws IOException, InterruptedException {
    try (Browser browser = new Browser(1280, 900)) {
      browser.resize(1280, 900, false);
      browser.open(web.url());
      browser.await("performance.getEntriesByName('first-view').length === 1");
      List<Double> views = new ArrayList<>();
      long ticksBefore = ticks(browser, "");
      for (int i = 0; i < 5; i++) {
        browser.open("about:blank");
        browser.open(web.url());
        browser.await("performance.getEntriesByName('first-view').length === 1");
        views.add(
            Double.parseDouble(
                browser.run("return performance.getEntriesByName('first-view')[0].startTime")));
      }
      views.sort(null);
      say(
          String.format(
              Locale.ROOT,
              "first view: %.0f ms (median of 5), with %.0f ms of CPU time of all the browser's"
                  + " processes",
              views.get(2),
              1e3 * (ticks(browser, "") - ticksBefore) / TICKS / views.size()));
      say(
          "transferred for it, with what happened before: "
              + browser.run(
                  "return performance.getEntriesByType('resource')"
                      + ".concat(performance.getEntriesByType('navigation'))"
                      + ".reduce((sum, one) => sum + one.encodedBodySize + 300, 0)")
              + " bytes");
      Thread.sleep(1_000L * WARM_UP_SECONDS);
      long before = ticks(browser, "--type=renderer");
      long beforeAll = ticks(browser, "");
      Thread.sleep(1_000L * SECONDS);
      say(
          String.format(
              Locale.ROOT,
              "browser, %d jobs at 1 Hz: renderer %.1f %% of a core, all its processes %.1f %%",
              JOBS,
              100 * (ticks(browser, "--type=renderer") - before) / TICKS / SECONDS,
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
