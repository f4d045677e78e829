package dev.sluice.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.registry.PolicyRegistry;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {
  @Test
  void helpTeachesAndNothingIsHelpToo() {
    assertThat(Cli.run().out()).contains("COMMAND").contains("policies").contains("decide");
    assertThat(Cli.run("--help").exitCode()).isZero();
    assertThat(Cli.run("decide", "--help").out()).contains("capacity: 1000 tokens/s");
  }

  @Test
  void everyCommandIsListedAndHasHelpOfItsOwn() {
    Map<String, CommandLine> commands = Main.commandLine("--help").getSubcommands();
    assertThat(commands).hasSizeGreaterThan(30);
    String list = Cli.run("--help").out();
    commands.forEach((name, command) -> {
      boolean hidden = command.getCommandSpec().usageMessage().hidden();
      assertThat(list.contains("\n  " + name + " ")).as(name).isNotEqualTo(hidden);
      Cli own = Cli.run(name, "--help");
      assertThat(own.exitCode()).as(name).isZero();
      // What runs others is a program of its own, and tells of itself.
      assertThat(own.out())
          .isEqualTo(name.equals("run") ? own.out() : command.getUsageMessage())
          .containsPattern("sluice[ -]" + name);
    });
    assertThat(Cli.run("help", "decide").out()).isEqualTo(Cli.run("decide", "--help").out());
  }

  @Test
  void aWrongCallIsOneLineAndExitCodeTwo() {
    String[][] calls = {
      {"decode"},
      {"decide"},
      {"decide", "--policy"},
      {"policies", "nobody"},
      {"policies", "a", "b"},
      {"decide", "--policy", "adaptbf", "--set", "record-retention", "x.yaml"},
      {"decide", "--policy", "adaptbf", "--set", "retention=1 s", "x.yaml"},
      {"decide", "--policy", "adaptbf", "no-such-file.yaml"}
    };
    for (String[] call : calls) {
      Cli cli = Cli.run(call);
      assertThat(cli.exitCode()).as(String.join(" ", call)).isEqualTo(2);
      assertThat(cli.err().lines()).as(String.join(" ", call)).hasSize(1);
      assertThat(cli.out()).isEmpty();
    }
  }

  @Test
  void everyPolicyIsListedAndTold() {
    String list = Cli.run("policies").out();
    assertThat(list).contains("sojourn is the default of new configurations");
    for (PolicyFactory policy : PolicyRegistry.all()) {
      String name = policy.info().name();
      assertThat(list).contains(name).contains(policy.info().summary());
      assertThat(Cli.run("policies", name).out())
          .contains(policy.info().source())
          .contains(policy.info().scheduler().text());
    }
  }
}
