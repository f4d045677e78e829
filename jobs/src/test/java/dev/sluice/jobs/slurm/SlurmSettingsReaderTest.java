package dev.sluice.jobs.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.document.DocumentException;
import dev.sluice.document.Documents;
import dev.sluice.jobs.slurm.SlurmSettings.Source;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmSettingsReaderTest {
  private static SlurmSettings read(String text) {
    return SlurmSettingsReader.read(Documents.parse("sluice.yaml", text), Path.of("/etc/sluice"));
  }

  @Test
  void nothingNeedsToBeSaid() {
    assertThat(read("{}"))
        .isEqualTo(
            new SlurmSettings(
                Source.AUTO, 30_000_000_000L, null, null, null, null, List.of(), List.of()));
  }

  @Test
  void everythingCanBeSaid() {
    SlurmSettings settings =
        read(
            """
            source: squeue-json
            poll: 2 min
            spool: spool
            configuration: /etc/slurm/slurm.conf
            commands: /opt/slurm/bin
            rest-socket: /run/rest.sock
            node-names: ["{node}-ib"]
            weights:
              - {qos: urgent, weight: 64}
              - {account: "bio*", user: alice, weight-per-node: 2}
            """);
    assertThat(settings.source()).isEqualTo(Source.SQUEUE_JSON);
    assertThat(settings.periodNanos()).isEqualTo(120_000_000_000L);
    assertThat(settings.spool()).isEqualTo(Path.of("/etc/sluice/spool"));
    assertThat(settings.commands()).isEqualTo(Path.of("/opt/slurm/bin"));
    assertThat(settings.nodeNames()).containsExactly("{node}-ib");
    assertThat(settings.weights())
        .containsExactly(
            new WeightRule(null, "urgent", null, 64, false),
            new WeightRule("bio*", null, "alice", 2, true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "source: sqeue ! did you mean squeue?",
        "source: none ! expected the key \"spool\"",
        "source: slurmrestd ! expected the key \"rest-socket\"",
        "poll: 10 ms ! expected a duration from 1 s to",
        "spool: '' ! expected a path",
        "node-names: [ib] ! expected a name with {node}",
        "weights: [{qos: a}] ! expected either the key \"weight\"",
        "weights: [{qos: a, weight: 1, weight-per-node: 1}] ! expected either the key \"weight\"",
        "weights: [{qos: a, weight: 0}] ! expected a whole number",
        "wieghts: [] ! did you mean weights?"
      })
  void aMistakeIsNamed(String text, String words) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(DocumentException.class)
        .hasMessageContaining("sluice.yaml:1:")
        .hasMessageContaining(words);
  }

  @Test
  void theFirstRuleThatHoldsSaysWhatAJobWeighs() {
    List<WeightRule> rules =
        List.of(
            new WeightRule("bio*", "urgent", null, 64, false),
            new WeightRule(null, "normal", null, 3, true),
            new WeightRule(null, null, "user1001", 9, false));
    SlurmJob job = Fixtures.job(1, "n[1-4]");
    assertThat(WeightRule.weight(rules, job)).hasValue(12);
    assertThat(WeightRule.weight(rules.subList(2, 3), job)).hasValue(9);
    assertThat(WeightRule.weight(rules.subList(0, 1), job)).isEmpty();
    assertThat(WeightRule.weight(List.of(), job)).as("its nodes, then").isEmpty();
  }
}
