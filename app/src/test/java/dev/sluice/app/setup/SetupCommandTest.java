package dev.sluice.app.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.app.Policies;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.gateway.config.GatewayConfiguration;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("untimed")
class SetupCommandTest {
  @TempDir Path directory;
  private Path file;
  private Path data;

  @BeforeEach
  void makeDirectory() throws Exception {
    data = Files.createDirectory(directory.resolve("the \"data\""));
    file = directory.resolve("etc").resolve("sluice.yaml");
  }

  private Cli setup(String... more) {
    String[] all = new String[more.length + 3];
    all[0] = "setup";
    all[1] = "-c";
    all[2] = file.toString();
    System.arraycopy(more, 0, all, 3, more.length);
    return Cli.run(all);
  }

  @Test
  void looksFirstAndEnforcesWhenTold() throws Exception {
    Cli made =
        setup("--export", data + "=/data", "--clients", "10.1.0.0/16,10.2.0.1", "--no-slurm");
    assertThat(made.exitCode()).as(made.err()).isZero();
    GatewayConfiguration read = ConfigurationReader.read(file, Policies.ALL);
    assertThat(read.observesOnly()).isTrue();
    assertThat(read.policy().info().name()).isEqualTo("sojourn");
    assertThat(read.exports().getFirst().path()).isEqualTo("/data");
    assertThat(read.exports().getFirst().directory()).isEqualTo(data);
    assertThat(read.exports().getFirst().clients().toString()).contains("10.1.0.0/16", "10.2.0.1");
    assertThat(made.out()).contains("SERVER:/data", "sluice report", "setup --enforce");

    String written = Files.readString(file);
    Cli enforced = setup("--enforce");
    assertThat(enforced.exitCode()).as(enforced.err()).isZero();
    assertThat(ConfigurationReader.read(file, Policies.ALL).observesOnly()).isFalse();
    assertThat(Files.readString(file))
        .isEqualTo(written.replace("observe-only: true", "observe-only: false"));
    assertThat(setup("--enforce").out()).contains("says so already");
  }

  @Test
  void aGatewayServesWhatWasSetUp() throws Exception {
    assertThat(setup("--export", data.toString(), "--clients", "127.0.0.1").exitCode()).isZero();
    // The usual ports are others'.
    Files.writeString(
        file,
        Files.readString(file)
            + "nfs-port: 0\nmount-port: 0\nportmapper: off\ndashboard: off\nstate: "
            + directory.resolve("state")
            + "\n");
    try (Gateway gateway = Gateway.start(file)) {
      assertThat(gateway.configuration().exports().getFirst().path()).isEqualTo(data.toString());
    }
  }

  @Test
  void whatIsThereIsNotReplaced() throws Exception {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "mine");
    Cli refused = setup("--export", data.toString());
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("is there already");
    assertThat(Files.readString(file)).isEqualTo("mine");
    assertThat(setup("--export", data.toString(), "--replace").exitCode()).isZero();
  }

  @Test
  void mistakesAreNamedAndWriteNothing() {
    assertThat(setup().err()).contains("expected --export DIR");
    assertThat(setup("--export", "/no/such").err()).contains("/no/such is no directory");
    assertThat(setup("--export", data.toString(), "--clients", "10.1.0.0/99").err())
        .contains("10.1.0.0/99");
    assertThat(setup("--export", data + "=data").exitCode()).isEqualTo(2);
    assertThat(file).doesNotExist();
    assertThat(file.getParent())
        .satisfiesAnyOf(
            parent -> assertThat(parent).doesNotExist(),
            parent -> assertThat(parent).isEmptyDirectory());
  }

  @Test
  void aNetworkIsWhatItsAddressBeginsWith() throws Exception {
    Inet4Address address = (Inet4Address) InetAddress.getByName("10.171.205.239");
    assertThat(LocalNetworks.network(address, 32)).isEqualTo("10.171.205.239/32");
    assertThat(LocalNetworks.network(address, 24)).isEqualTo("10.171.205.0/24");
    assertThat(LocalNetworks.network(address, 13)).isEqualTo("10.168.0.0/13");
    assertThat(LocalNetworks.network(address, 0)).isEqualTo("0.0.0.0/0");
  }

  @Test
  void everyProgramsConfigurationIsChecked() throws Exception {
    assertThat(Cli.ask(Cli.inTree("examples/control/controller.yaml"), "check"))
        .contains("is good: a controller");
    assertThat(Cli.ask(Cli.inTree("examples/control/aggregator.yaml"), "check"))
        .contains("is good: an aggregator");
    assertThat(Cli.ask(Cli.inTree("examples/lustre/oss.yaml"), "check"))
        .contains("is good: Lustre");
    setup("--export", data.toString());
    assertThat(Cli.ask(file, "check")).contains("is good: a gateway", "observing only");
    Files.delete(data);
    assertThat(Cli.ask(file, "check")).contains("expected a directory, and there is none");
    Files.writeString(file, "exports: 7\n");
    assertThat(Cli.ask(file, "check")).contains("sluice.yaml:1:");
    Files.writeString(file, "something: else\n");
    assertThat(Cli.ask(file, "check")).contains("expected the configuration of a gateway");
  }

  @Test
  void aRehearsalGoesWell() {
    Cli rehearsed = Cli.run("rehearse");
    assertThat(rehearsed.exitCode()).as(rehearsed.err()).isZero();
    Cli ofNode = Cli.run("rehearse", "--node");
    assertThat(ofNode.exitCode()).as(ofNode.err()).isZero();
  }
}
