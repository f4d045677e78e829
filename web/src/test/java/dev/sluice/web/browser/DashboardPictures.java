package dev.sluice.web.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Takes the pictures of docs/dashboard.md from a gateway that runs. No part of the gate: {@code
 * scripts/pictures} starts a gateway and jobs and tells by {@code -Dsluice.pictures.url} where it
 * is.
 */
class DashboardPictures {
  private static final Path PICTURES = Path.of("../docs/pictures");
  private static final long MOMENT_MILLIS = 2_500;

  @Test
  void take() throws IOException, InterruptedException {
    String url = System.getProperty("sluice.pictures.url");
    assumeTrue(url != null, "skipped: nobody said where a gateway runs");
    Files.createDirectories(PICTURES);
    try (Browser browser = new Browser(1280, 900)) {
      browser.resize(1280, 1010, false);
      browser.open(url);
      browser.await("document.querySelectorAll('#jobs tbody tr').length > 0");
      take(browser, "dashboard.png");
      browser.dark(true);
      browser.run("document.querySelector('input[value=lines]').click()");
      take(browser, "dashboard-dark.png");
      browser.dark(false);
      browser.run("document.querySelector('input[value=stacked]').click()");
      browser.run("document.querySelector('#ranking').scrollIntoView({block: 'end'})");
      take(browser, "dashboard-who.png");
      browser.click("#jobs tbody button");
      take(browser, "dashboard-job.png");
      browser.run("document.querySelector('#job-dialog').close(); scrollTo(0, 0)");
      browser.click("input[name=span][value=\"900\"]");
      browser.await("document.querySelector('#charts-note').innerText.includes('samples of')");
      browser.run("document.querySelector('.chart canvas').focus()");
      browser.press("\uE00F".repeat(40) + "\uE012".repeat(20) + "\uE007");
      browser.await("document.querySelector('#moment-words').innerText.startsWith('Jobs from')");
      browser.run("scrollTo(0, 230)");
      take(browser, "dashboard-past.png");
      browser.run("document.querySelector('#moment-leave').click(); scrollTo(0, 0)");
      browser.run("document.activeElement.blur()");
      browser.click("input[name=span][value=\"300\"]");
      browser.resize(390, 844, true);
      take(browser, "dashboard-phone.png");
    }
  }

  private static void take(Browser browser, String name) throws IOException, InterruptedException {
    TimePasses.forMillis(MOMENT_MILLIS);
    Files.write(PICTURES.resolve(name), browser.picture());
  }
}
