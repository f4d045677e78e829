package dev.sluice.app.documented;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.sluice.app.Cli;
import dev.sluice.app.Policies;
import dev.sluice.control.config.AggregatorConfiguration;
import dev.sluice.control.config.ControllerConfiguration;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.jobs.JobFile;
import dev.sluice.lustre.config.LustreConfigurationReader;
import dev.sluice.sim.scenario.ScenarioReader;
import dev.sluice.store.documents.PolicyDocumentReader;
import dev.sluice.testkit.InstalledPrograms;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every file in examples/ is read as the command does that it is made for, or by another example.
 * What comes of it is tried elsewhere: scenarios are run by ExamplesTest, Slurm's scripts by
 * RealSlurmTest.
 */
class ExampleFilesTest {
  private static final Pattern SLURM_SCRIPT =
      Pattern.compile("(?m)^\\w+=/etc/slurm/sluice/(.*\\.sh)$");

  static Stream<String> examples() throws IOException {
    Path root = Cli.inTree("examples");
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void isRead(String name) throws Exception {
    Path file = Cli.inTree("examples").resolve(name);
    String extension = name.substring(name.lastIndexOf('.') + 1);
    switch (name.substring(0, name.indexOf('/')) + " " + extension) {
      case "decide yaml", "decide json" -> given("decide", "--policy", policy(name), "" + file);
      case "scenarios yaml" ->
          ScenarioReader.read(file.toString(), InputStream.nullInputStream(), 1);
      case "scenarios csv" -> isNamedBeside(file);
      case "periods csv" -> given("period", file.toString());
      case "rules rules" -> given("rules", "check", file.toString());
      case "gateway yaml",
          "slurm yaml",
          "lustre yaml",
          "control yaml",
          "documents yaml",
          "jupyterhub yaml",
          "failover yaml" ->
          isConfiguration(name, file);
      case "slurm conf" -> scriptsLieBeside(file);
      case "slurm sh" ->
          assertThat(new ProcessBuilder("sh", "-n", file.toString()).start().waitFor()).isZero();
      case "failover conf" -> isTakenByKeepalived(file);
      case "failover sh" -> tellsWhetherAPortIsOpen(file);
      default -> fail("nobody reads examples/" + name);
    }
  }

  private static void given(String... arguments) {
    Cli cli = Cli.run(arguments);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
  }

  private static String policy(String name) {
    return Stream.of("gift", "iosets", "sdqpro")
        .filter(policy -> name.startsWith("decide/" + policy))
        .findFirst()
        .orElse(name.startsWith("decide/padll") ? "psfa" : "adaptbf");
  }

  private static void isConfiguration(String name, Path file) throws IOException {
    switch (name) {
      case "gateway/jobs.yaml", "lustre/jobs.yaml" -> assertThat(JobFile.read(file)).isNotEmpty();
      case "control/controller.yaml" -> ControllerConfiguration.read(file);
      case "control/aggregator.yaml" -> AggregatorConfiguration.read(file);
      case "control/limits.yaml", "documents/limits.yaml" ->
          PolicyDocumentReader.read(name, Files.readString(file));
      case "lustre/oss.yaml", "lustre/mds.yaml", "lustre/limits.yaml" ->
          LustreConfigurationReader.read(file);
      default -> ConfigurationReader.read(file, Policies.ALL);
    }
  }

  /** As it is, but for what a site names: it is tried where keepalived is installed. */
  private static void isTakenByKeepalived(Path file) throws Exception {
    String text = Files.readString(file);
    assertThat(text).contains("/etc/keepalived/sluice-serves.sh");
    assertThat(file.resolveSibling("sluice-serves.sh")).isExecutable();
    Assumptions.assumeTrue(InstalledPrograms.have("keepalived"), "keepalived is not installed");
    Assumptions.assumeTrue(
        "root".equals(System.getProperty("user.name")),
        "only root can give keepalived an interface");
    Path ofThisMachine = Files.createTempFile("keepalived", ".conf");
    try {
      Files.writeString(ofThisMachine, text.replaceAll("\"/(etc|usr)/[^\"]*\"", "\"/bin/true\""));
      Process check =
          new ProcessBuilder(
                  "unshare",
                  "--net",
                  "sh",
                  "-c",
                  "ip link add eth0 type veth peer name eth1 && exec keepalived -t -f \"$0\"",
                  ofThisMachine.toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(check.waitFor()).as(said).isZero();
    } finally {
      Files.delete(ofThisMachine);
    }
  }

  private static void tellsWhetherAPortIsOpen(Path file) throws Exception {
    int port;
    try (ServerSocket open = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = open.getLocalPort();
      assertThat(codeOf(file, port)).isZero();
    }
    assertThat(codeOf(file, port)).isNotZero();
  }

  private static int codeOf(Path file, int port) throws Exception {
    return new ProcessBuilder(file.toString(), Integer.toString(port)).start().waitFor();
  }

  private static void isNamedBeside(Path file) throws IOException {
    String own = String.valueOf(file.getFileName());
    try (Stream<Path> others = Files.list(file.resolveSibling(""))) {
      List<Path> naming =
          others
              .filter(other -> other.toString().endsWith(".yaml"))
              .filter(other -> text(other).contains(own))
              .toList();
      assertThat(naming).isNotEmpty();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void scriptsLieBeside(Path file) {
    Matcher script = SLURM_SCRIPT.matcher(text(file));
    int scripts = 0;
    while (script.find()) {
      assertThat(file.resolveSibling(script.group(1))).isExecutable();
      scripts++;
    }
    assertThat(scripts).isEqualTo(5);
  }
}
