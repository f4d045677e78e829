package dev.sluice.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.control.config.ControllerConfiguration;
import dev.sluice.control.controller.ControllerProcess;
import dev.sluice.control.gateways.TestGateway;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.control.measure.SimulatedNodes;
import dev.sluice.web.OwnerToken;
import dev.sluice.web.SluiceWeb;
import dev.sluice.web.browser.Browser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard's page of a controller with nodes and gateways, as a browser shows it. */
@Timeout(300)
class ControllerPageTest {
  @TempDir private Path directory;

  private ControllerConfiguration configuration() throws IOException {
    Files.writeString(
        directory.resolve("limits.yaml"),
        "resources: [{operations: metadata, max: 2 kops/s, policy: psfa}]");
    Path file = directory.resolve("controller.yaml");
    Files.writeString(
        file,
        """
        listen: 127.0.0.1:0
        state: state
        document: limits.yaml
        period: 500 ms
        gateways: {policy: gift, period: 500 ms}
        """);
    return ControllerConfiguration.read(file);
  }

  @Test
  void showsNodesAndGatewaysAndWhyAJobGetsWhatItGets() throws Exception {
    assumeTrue(Browser.isHere(), "there is no chromium with its driver");
    InetAddress here = InetAddress.getLoopbackAddress();
    ControllerConfiguration configuration = configuration();
    try (ControllerProcess process = new ControllerProcess(configuration);
        SluiceWeb web =
            ControllerWeb.start(process, configuration, new InetSocketAddress(here, 0));
        SimulatedNodes nodes = new SimulatedNodes(true);
        NettyLoop loop = new NettyLoop("gateways");
        TestGateway _ =
            TestGateway.connect("g1", true, process.controller().port(), loop, "4711", "4712");
        Browser browser = new Browser(1280, 900)) {
      nodes.connect(2, new InetSocketAddress(here, process.controller().port()));
      browser.resize(1280, 900, false);
      browser.open(web.url());
      browser.await("document.querySelectorAll('#targets .target').length === 2");
      browser.await("document.querySelector('#targets').innerText.includes('g1/disk')");
      browser.await("document.querySelector('#jobs tbody').innerText.includes('4711')");
      browser.await("document.querySelector('#jobs tbody').innerText.includes('job-1')");
      browser.await("document.querySelector('#about').innerText.includes('3 connections')");
      assertThat(browser.run("return document.querySelector('#policy').innerText"))
          .contains("psfa, gift");
      // Operations of nodes and bytes of a disk are not added up.
      browser.await("document.querySelector('#headline').innerText.includes(' of metadata.')");
      // What only the gateway can tell: how long requests wait, and how many do.
      browser.await("document.querySelector('#jobs tbody').innerText.includes('20.0 ms')");
      browser.run(
          "[...document.querySelectorAll('#jobs tbody button')]"
              + ".find((one) => one.innerText === '4711').click()");
      browser.await("document.querySelector('#job-dialog').open");
      browser.await("document.querySelector('.log li') !== null");
      browser.run("document.querySelector('#job-dialog').close()");
      // History is kept from the start.
      browser.click("input[name=span][value=\"900\"]");
      browser.await("document.querySelector('#charts-note').innerText.includes('samples of 1 s')");
      browser.await("document.querySelector('.chart .legend').innerText.includes('4711')");
      assertThat(browser.run("return document.querySelector('#change-policy').disabled"))
          .isEqualTo("true");
      assertThat(browser.run("return document.querySelector('#audit').innerText"))
          .contains("in a file of the controller's");
      assertThat(browser.complaints()).doesNotContain("SEVERE");
    }
  }

  /** What a controller holds everybody to is written, looked at, put in force and taken back. */
  @Test
  void aDocumentIsPutInForceAndTakenBack() throws Exception {
    assumeTrue(Browser.isHere(), "there is no chromium with its driver");
    InetAddress here = InetAddress.getLoopbackAddress();
    ControllerConfiguration configuration =
        ControllerConfiguration.read(
            Files.writeString(
                directory.resolve("controller.yaml"),
                "{listen: '127.0.0.1:0', state: state, period: 500 ms}"));
    try (ControllerProcess process = new ControllerProcess(configuration);
        SluiceWeb web =
            ControllerWeb.start(process, configuration, new InetSocketAddress(here, 0));
        SimulatedNodes nodes = new SimulatedNodes(true);
        Browser browser = new Browser(1280, 900)) {
      nodes.connect(2, new InetSocketAddress(here, process.controller().port()));
      browser.open(web.url());
      browser.await("document.querySelector('#changed-thing').innerText === 'limits'");
      assertThat(browser.run("return document.querySelector('#change-policy').disabled"))
          .isEqualTo("true");
      browser.open("about:blank");
      browser.open(web.url() + "#token=" + OwnerToken.in(configuration.state()));
      browser.await("!document.querySelector('#change-policy').disabled");

      putInForce(browser, "resources: [{operations: metadata, max: 2 kops/s, policy: psfa}]");
      browser.await("document.querySelector('#audit').innerText.includes('version 1')");
      browser.await("document.querySelector('#policy').innerText.includes('psfa')");

      browser.click("#change-policy");
      browser.await("document.querySelector('#document-dialog').open");
      write(browser, "resources: [{operations: metadata, max: fast}]");
      browser.click("#check-document");
      browser.await("document.querySelector('#document-dialog .error').innerText.includes('fast')");
      assertThat(browser.run("return document.querySelector('#apply-document').disabled"))
          .isEqualTo("true");
      browser.run("document.querySelector('#document-dialog').close()");

      putInForce(browser, "resources: [{operations: metadata, max: 1 kops/s, policy: uniform}]");
      browser.await("document.querySelector('#policy').innerText.includes('uniform')");
      browser.click("#audit button");
      browser.await("document.querySelector('#confirm-dialog').open");
      browser.click("#confirm");
      browser.await("document.querySelector('#audit').innerText.includes('version 3')");
      browser.await("document.querySelector('#policy').innerText.includes('psfa')");
    }
  }

  private static void putInForce(Browser browser, String document) throws IOException {
    browser.click("#change-policy");
    browser.await("document.querySelector('#document-dialog').open");
    write(browser, document);
    browser.click("#check-document");
    browser.await("!document.querySelector('#apply-document').disabled");
    assertThat(browser.run("return document.querySelector('#document-dialog').innerText"))
        .contains("It would change");
    browser.click("#apply-document");
    browser.await("!document.querySelector('#document-dialog').open");
  }

  private static void write(Browser browser, String document) throws IOException {
    browser.run(
        "const text = document.querySelector('#document-dialog textarea'); text.value = "
            + Browser.quoted(document)
            + "; text.dispatchEvent(new Event('input'))");
  }
}
