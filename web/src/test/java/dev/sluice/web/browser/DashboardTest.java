package dev.sluice.web.browser;

import static dev.sluice.web.browser.Browser.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.web.SluiceWeb;
import dev.sluice.web.SyntheticHistory;
import dev.sluice.web.SyntheticProgram;
import dev.sluice.web.WebSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page as a browser shows it. Needs chromium and its driver; the gate installs them. */
class DashboardTest {
  private static final List<String> HOSTILE =
      List.of(
          "<img src=x onerror=document.title='owned'>",
          "\"><script>document.title='owned'</script>",
          "javascript:document.title='owned'",
          "{{constructor.constructor('document.title=1')()}}",
          "\u202egnp.exe",
          "../../..//%2e%2e/&amp;<b>",
          "a'b`c${document.title='owned'}");

  private static Browser browser;

  private SyntheticProgram program;
  private SluiceWeb web;

  @BeforeAll
  static void startBrowser() throws IOException {
    assumeTrue(Browser.isHere(), "there is no chromium with its driver");
    browser = new Browser(1280, 900);
  }

  @AfterAll
  static void stopBrowser() throws IOException {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void startProgram() throws IOException {
    browser.resize(1280, 900, false);
    serve(SyntheticProgram.morning());
  }

  private void serve(List<SyntheticProgram.Job> jobs) throws IOException {
    program = new SyntheticProgram(jobs, System::currentTimeMillis);
    web = ServedProgram.serve(program, WebSettings.anywhere());
  }

  @AfterEach
  void stopProgram() {
    if (web != null) {
      web.close();
    }
  }

  private void open(String url) throws IOException {
    browser.open("about:blank");
    // What the page of the test before said when its server ended is not about this one.
    browser.complaints();
    browser.open(url);
    browser.await("document.querySelectorAll('#jobs tbody tr').length > 0");
  }

  private static String text(String selector) throws IOException {
    return browser.run("return document.querySelector(" + quoted(selector) + ").innerText");
  }

  @Test
  void showsWhoDoesWhatAndGoesOn() throws IOException {
    open(web.url());
    browser.await("document.querySelector('#connection').innerText === 'live'");
    assertThat(text("#headline")).contains("48120 of mchen").contains("% busy");
    assertThat(text("#jobs tbody tr")).contains("48120").contains("mchen").contains("MB/s");
    assertThat(text("#policy")).contains("adaptbf").contains("100 ms");
    assertThat(browser.run("return document.querySelectorAll('.target').length")).isEqualTo("2");
    String before = text("#jobs tbody tr");
    browser.await("document.querySelector('#jobs tbody tr').innerText !== " + quoted(before));
    assertThat(
            browser.run(
                "const canvas = document.querySelector('.chart canvas');"
                    + "const pixels = canvas.getContext('2d')"
                    + ".getImageData(0, 0, canvas.width, canvas.height).data;"
                    + "const colors = new Set();"
                    + "for (let i = 0; i < pixels.length; i += 4) {"
                    + "colors.add(pixels[i] + ' ' + pixels[i + 1] + ' ' + pixels[i + 2]); }"
                    + "return colors.size > 8"))
        .isEqualTo("true");
    assertThat(browser.complaints()).isEqualTo("{\"value\":[]}");
  }

  /** Jobs and charts are within reach however many targets there are. */
  @Test
  void ofManyTargetsTheBusiestHaveTiles() throws IOException {
    web.close();
    program = new SyntheticProgram(SyntheticProgram.crowd(500), 200, System::currentTimeMillis);
    web = ServedProgram.serve(program, WebSettings.anywhere());
    open(web.url());
    assertThat(browser.run("return document.querySelectorAll('.target').length")).isEqualTo("12");
    assertThat(text(".targets")).contains("188 more targets").contains("ost50");
    browser.await("document.querySelector('#jobs tbody tr').innerText.includes('job-40001')");
    assertThat(browser.complaints()).isEqualTo("{\"value\":[]}");
  }

  @Test
  void loadsNothingFromElsewhere() throws IOException {
    open(web.url());
    String loaded =
        browser.run(
            "return performance.getEntriesByType('resource').map((one) => one.name).join(' ')");
    assertThat(loaded.split(" "))
        .allMatch(name -> name.startsWith(web.url()))
        .hasSizeGreaterThan(5);
  }

  @Test
  void isSmall() throws IOException {
    open(web.url());
    String transferred =
        browser.run(
            "return performance.getEntriesByType('resource')"
                + ".concat(performance.getEntriesByType('navigation'))"
                + ".reduce((sum, one) => sum + one.transferSize, 0)");
    assertThat(Long.parseLong(transferred)).isBetween(10_000L, 150_000L);
  }

  @Test
  void onlyLooksWithoutAToken() throws IOException {
    open(web.url());
    browser.await("document.querySelector('#access').innerText === 'Read-only'");
    assertThat(browser.run("return document.querySelector('#change-policy').disabled"))
        .isEqualTo("true");
    browser.click("#jobs tbody button");
    browser.await("document.querySelector('#job-dialog form button[type=submit]').disabled");
  }

  @Test
  void changesThePolicyAndTakesItBack() throws IOException {
    open(web.urlWithToken(ServedProgram.TOKEN));
    assertThat(browser.run("return location.hash")).isEmpty();
    browser.await("!document.querySelector('#change-policy').disabled");
    browser.click("#change-policy");
    browser.type("#policy-dialog select", "gift");
    browser.click("#policy-dialog button[type=submit]");
    browser.await("document.querySelector('#confirm-dialog').open");
    assertThat(text("#confirm-dialog")).contains("adaptbf").contains("gift");
    assertThat(program.policy()).isEqualTo("adaptbf");
    browser.click("#confirm");
    browser.await("document.querySelector('#policy').innerText.includes('gift')");
    assertThat(program.policy()).isEqualTo("gift");
    assertThat(text("#audit li")).contains("olga").contains("policy gift (was adaptbf)");
    browser.click(".toast button");
    browser.await("document.querySelector('#policy').innerText.includes('adaptbf')");
    assertThat(program.policy()).isEqualTo("adaptbf");
    browser.await("document.querySelector('#audit li').innerText.includes('took back')");
  }

  @Test
  void showsWhyAChangeIsRefused() throws IOException {
    open(web.urlWithToken(ServedProgram.TOKEN));
    browser.await("!document.querySelector('#change-policy').disabled");
    browser.click("#change-policy");
    browser.type("#policy-dialog select", "static");
    browser.click("#policy-dialog button[type=submit]");
    browser.click("#confirm");
    browser.await(
        "document.querySelector('#confirm-dialog .error').innerText.includes('needs a capacity')");
    assertThat(program.policy()).isEqualTo("adaptbf");
  }

  @Test
  void saysWhyAJobGotWhatItGotAndSetsItsWeight() throws IOException {
    open(web.urlWithToken(ServedProgram.TOKEN));
    browser.await("!document.querySelector('#change-policy').disabled");
    // With the keyboard alone: the row's button takes focus and Enter opens it.
    browser.run("document.querySelector('#jobs tbody button').focus()");
    browser.press("\uE007");
    browser.await("document.querySelector('#job-dialog').open");
    browser.await("document.querySelector('.reason').innerText.includes('borrows 15200000')");
    browser.await("document.querySelector('.log li') !== null");
    browser.type("#job-dialog input[type=number]", "7");
    browser.click("#job-dialog form button[type=submit]");
    browser.click("#confirm");
    browser.await("!document.querySelector('#confirm-dialog').open");
    assertThat(program.set("48120")).isEqualTo(Map.of("weight", "7"));
    browser.press("\uE00C");
    browser.await("!document.querySelector('#job-dialog').open");
  }

  @Test
  void comesBackWhenTheConnectionBreaks() throws IOException {
    open(web.url());
    InetSocketAddress where =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), URI.create(web.url()).getPort());
    web.close();
    browser.await("document.querySelector('#connection').innerText.includes('lost')");
    assertThat(text("#jobs tbody tr")).contains("48120");
    web = ServedProgram.serve(program, new WebSettings(where, true, Set.of(), null, null));
    browser.await("document.querySelector('#connection').innerText === 'live'");
    String before = text("#headline");
    browser.await("document.querySelector('#headline').innerText !== " + quoted(before));
  }

  @Test
  void takesNoNameForMarkup() throws IOException {
    web.close();
    serve(
        HOSTILE.stream()
            .map(name -> new SyntheticProgram.Job(name, name, name, 1, 0.1, 7))
            .toList());
    open(web.urlWithToken(ServedProgram.TOKEN));
    browser.await("document.querySelectorAll('#jobs tbody tr').length === " + HOSTILE.size());
    for (int i = 0; i < HOSTILE.size(); i++) {
      browser.run("document.querySelectorAll('#jobs tbody button')[" + i + "].click()");
      browser.await("document.querySelector('.reason').innerText.includes('borrows')");
      browser.run("document.querySelector('#job-dialog').close()");
    }
    browser.run("document.querySelectorAll('.chart header button').forEach((one) => one.click())");
    browser.type("#filter", "<img");
    browser.await("document.querySelectorAll('#jobs tbody tr').length === 1");
    assertThat(browser.run("return document.title")).isEqualTo("Sluice");
    assertThat(
            browser.run(
                "return document.querySelectorAll('main img, main script, main b b').length"))
        .isEqualTo("0");
    assertThat(text("#jobs tbody button")).isEqualTo(HOSTILE.getFirst());
    assertThat(browser.run("return document.body.innerText.includes('\\u202e')"))
        .isEqualTo("false");
    assertThat(browser.complaints()).doesNotContain("Content Security Policy");
  }

  @Test
  void fitsOnAPhone() throws IOException {
    browser.resize(390, 844, true);
    open(web.url());
    assertThat(
            browser.run(
                "return document.documentElement.scrollWidth <="
                    + " document.documentElement.clientWidth"))
        .isEqualTo("true");
    browser.click("#jobs tbody button");
    browser.await("document.querySelector('#job-dialog').getBoundingClientRect().width <= 390");
    browser.run("document.querySelector('#job-dialog').close()");
  }

  @Test
  void canBeReadWithoutSeeingIt() throws IOException {
    open(web.url());
    assertThat(
            browser.run(
                "return [...document.querySelectorAll('canvas')].every((one) =>"
                    + " one.getAttribute('role') === 'img' && one.tabIndex === 0)"))
        .isEqualTo("true");
    browser.await("document.querySelector('canvas').getAttribute('aria-label').includes('48120')");
    browser.run("document.querySelector('canvas').focus()");
    boolean spoken = false;
    for (int step = 0; step < 40 && !spoken; step++) {
      // Back, and then on: the first second of a program may have nothing to tell.
      browser.press(step == 0 ? "\uE012" : "\uE014");
      spoken =
          browser
              .run("return document.querySelector('.plot .hidden').innerText.includes('48120')")
              .equals("true");
    }
    assertThat(spoken).isTrue();
    browser.run("document.querySelector('.chart header button').click()");
    browser.await(
        "document.querySelector('.chart .figures tbody tr th').innerText.includes('48120')");
    assertThat(
            browser.run(
                "return [...document.querySelectorAll('button, input, select')].every((one) =>"
                    + " (one.innerText || one.ariaLabel || one.labels?.[0]?.innerText || '') !=="
                    + " '')"))
        .isEqualTo("true");
  }

  @Test
  void sortsFiltersAndGroups() throws IOException {
    open(web.url());
    browser.run("document.querySelector('#jobs th button').click()");
    browser.await("document.querySelector('#jobs tbody button').innerText === '48077'");
    assertThat(browser.run("return document.querySelector('#jobs th').ariaSort"))
        .isEqualTo("ascending");
    browser.type("#filter", "lammps");
    browser.await("document.querySelectorAll('#jobs tbody tr').length === 1");
    browser.type("#filter", "");
    browser.run("document.querySelector('input[name=group][value=user]').click()");
    browser.await("document.querySelector('#jobs tbody').innerText.includes('1 job')");
  }

  /** The first chart for those who cannot see it. */
  private static final String AS_A_TABLE =
      "document.querySelector('.chart .figures tbody').innerText";

  @Test
  void showsWhatHappenedBeforeItWasOpened() throws IOException {
    open(web.url());
    // The program has run for a moment only; what is drawn of the minutes before is history's.
    browser.await("document.querySelector('canvas').getAttribute('aria-label').includes('48120')");
    browser.run("document.querySelector('canvas').focus()");
    boolean told = false;
    for (int step = 0; step < 60 && !told; step++) {
      browser.press("\uE00E\uE00E\uE00E\uE00E\uE00E\uE00E\uE00E\uE00E");
      told =
          browser
              .run("return document.querySelector('.plot .hidden').innerText.includes('48120')")
              .equals("true");
    }
    assertThat(told).as("what was 80 s before the program began").isTrue();
    assertThat(text("#connection")).isEqualTo("live");
    assertThat(browser.complaints()).isEqualTo("{\"value\":[]}");
  }

  @Test
  void goesBackToTheNightAndShowsItsJobs() throws IOException {
    open(web.url());
    // With the keyboard alone: the arrow keys go through the ranges, and through time.
    browser.run("document.querySelector('input[name=span]:checked').focus()");
    browser.press("\uE014\uE014\uE014");
    browser.await("document.querySelector('input[name=span]:checked').value === '86400'");
    browser.await("document.querySelector('#charts-note').innerText.includes('samples of 1 min')");
    assertThat(text("#charts-title")).isEqualTo("What was");
    browser.await(
        "[...document.querySelectorAll('.chart:not([hidden]) h3')]"
            + ".some((title) => title.innerText === 'What each target can do')");
    browser.run("document.querySelector('.chart header button').click()");
    browser.await(AS_A_TABLE + ".includes(" + quoted(SyntheticHistory.AT_NIGHT) + ")");
    browser.run("document.querySelector('.chart canvas').focus()");
    browser.press("\uE00E\uE00E\uE00E\uE007");
    browser.await("document.querySelectorAll('#jobs tbody tr').length === 1");
    assertThat(text("#jobs tbody tr")).contains(SyntheticHistory.AT_NIGHT).contains("operator");
    assertThat(text("#moment-words")).matches("Jobs from \\d\\d:\\d\\d to \\d\\d:\\d\\d\\.");
    assertThat(text("#jobs-note")).isEqualTo("1 job then.");
    assertThat(text("#events li")).contains("anna").contains("limit 90 MB/s");
    browser.click("#moment-leave");
    browser.await("document.querySelectorAll('#jobs tbody tr').length > 1");
    browser.run("document.querySelector('input[name=span][value=\"300\"]').click()");
    browser.await("document.querySelector('#charts-note').hidden");
    assertThat(browser.run("return document.querySelector('#past').hidden")).isEqualTo("true");
    assertThat(browser.complaints()).isEqualTo("{\"value\":[]}");
  }

  @Test
  void aClickOnATimeShowsItsJobs() throws IOException {
    open(web.url());
    browser.click("input[name=span][value=\"3600\"]");
    browser.await("document.querySelector('#charts-note').innerText.includes('samples of')");
    browser.run(
        "const canvas = document.querySelector('.chart canvas');"
            + "const box = canvas.getBoundingClientRect();"
            + "canvas.dispatchEvent(new MouseEvent('click',"
            + " {clientX: box.left + box.width / 2, clientY: box.top + 50, bubbles: true}))");
    browser.await("document.querySelector('#moment-words').innerText.startsWith('Jobs from')");
    browser.await(
        "document.querySelector('#jobs tbody tr').innerText.includes("
            + quoted(SyntheticHistory.AT_NIGHT)
            + ")");
  }

  @Test
  void standsAThousandJobs() throws IOException {
    web.close();
    serve(SyntheticProgram.crowd(1_000));
    open(web.url());
    browser.await("document.querySelector('#jobs-note').innerText.includes('950 more jobs')");
    browser.await("document.querySelector('.legend').innerText.includes('other jobs')");
    String before = text("#headline");
    browser.await("document.querySelector('#headline').innerText !== " + quoted(before));
    browser.type("#filter", "job-40999");
    browser.await("document.querySelectorAll('#jobs tbody tr').length === 1");
  }
}
