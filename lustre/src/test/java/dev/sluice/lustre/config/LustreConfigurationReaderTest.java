package dev.sluice.lustre.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.capacity.CapacityBounds;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.document.DocumentException;
import dev.sluice.jobs.source.JobSource;
import dev.sluice.lustre.LustreService;
import dev.sluice.web.WebSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LustreConfigurationReaderTest {
  private static LustreConfiguration parse(String text) {
    return LustreConfigurationReader.parse("lustre.yaml", text, Path.of("/etc/sluice"));
  }

  @Test
  void theCapacityIsEnough() {
    assertThat(parse("capacity: 4 kops/s"))
        .isEqualTo(
            new LustreConfiguration(
                LustreService.OST_IO,
                4_000,
                null,
                1_000_000_000L,
                null,
                Path.of("/var/lib/sluice/lustre-ost_io"),
                "lctl",
                30_000_000_000L,
                "sl_",
                10,
                0.05,
                10_000,
                new ChosenPolicy(PolicyRegistry.named("adaptbf"), Map.of()),
                List.of(),
                Guarantees.NONE,
                false,
                false,
                false,
                WebSettings.STANDARD));
  }

  @Test
  void theCapacityMayBeFoundOut() {
    LustreConfiguration auto = parse("capacity: auto");
    assertThat(auto.bounds()).isNotNull();
    assertThat(auto.capacityWords(null)).isEqualTo("not known yet (auto)");
    LustreConfiguration bounded = parse("capacity: {at-least: 100 ops/s, at-most: 4 kops/s}");
    assertThat(bounded.bounds()).isEqualTo(new CapacityBounds(100, 4_000, Integer.MAX_VALUE));
    assertThat(bounded.capacityPerSecond()).isEqualTo(4_000);
    assertThat(parse("capacity: {at-most: 4 kops/s}\nguarantees: [{user: a, rate: 9 kops/s}]"))
        .isNotNull();
    refused("capacity: {at-least: 5 ops/s, at-most: 4 ops/s}", "4 ops/s", "no less than at-least");
    refused("capacity: {}", "at-least, at-most or both");
    refused("capacity: {at-most: 4 MB/s}", "expected requests a second");
    refused("capacity: car", "expected");
  }

  private static void refused(String text, String... words) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(DocumentException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void everythingCanBeSaid() {
    LustreConfiguration read =
        parse(
            """
            service: mdt
            capacity: 20 kops/s
            period: 500 ms
            jobs: jobs.yaml
            state: state
            lctl: ./lctl
            lctl-patience: 5 s
            rule-prefix: qos_
            floor: 2 ops/s
            dead-band: 0.1
            rules-max: 500
            record-retention: 10 min
            switch-policy: true
            realtime: false
            """);

    assertThat(read.service()).isEqualTo(LustreService.MDT);
    assertThat(read.jobs()).isEqualTo(new JobSource.InFile(Path.of("/etc/sluice/jobs.yaml")));
    assertThat(parse("{capacity: 1 ops/s, jobs: {slurm: {}}}").jobs())
        .isInstanceOf(JobSource.Slurm.class);
    assertThat(read.lctl()).isEqualTo("/etc/sluice/lctl");
    assertThat(read.rulePrefix()).isEqualTo("qos_");
    assertThat(read.rulesMax()).isEqualTo(500);
    assertThat(read.switchPolicy()).isTrue();
    LustreConfiguration chosen =
        parse(
            """
            {capacity: 1 kops/s, policy: {name: uniform}, limits: [{name: backup,
             match: user=backup, rate: 50 ops/s}], guarantees: [{user: alice, rate: 100 ops/s}]}
            """);
    assertThat(chosen.policy().info().name()).isEqualTo("uniform");
    assertThat(chosen.limits().getFirst().perSecond()).isEqualTo(50);
    assertThat(chosen.guarantees().all()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "period: 1 s | lustre.yaml:1:1: a mapping: expected the key \"capacity\"",
        "capacity: 500 MB/s | lustre.yaml:1:11: capacity: \"500 MB/s\": expected requests a second"
            + " such as 4 kops/s: Lustre's filter counts those",
        "{capacity: 1 ops/s, servce: mdt} | lustre.yaml:1:21: \"servce\": expected one of",
        "{capacity: 1 ops/s, service: ost} | did you mean",
        "{capacity: 1 ops/s, period: 1 ms} | expected a duration from 100 ms to 1 min",
        "{capacity: 1 ops/s, rule-prefix: has-dash} | expected 1 to 7 letters, digits and"
            + " underscores",
        "{capacity: 1 ops/s, dead-band: 2} | expected a number from 0 to 0.5",
        "{capacity: 1 ops/s, floor: 0} | expected a rate from 1 to 10000 ops/s",
        "{capacity: 1 ops/s, policy: iosets} | Lustre's filter knows only rates",
        "{capacity: 1 ops/s, policy: fiar} | did you mean",
        "{capacity: 1 ops/s, policy: fair, record-retention: 1 h} | only adaptbf keeps a record",
        "{capacity: 1 ops/s, limits: [{name: a, match: client=10.0.0.1, rate: 1 ops/s}]} | expected"
            + " conditions on job, user and target",
        "{capacity: 9 ops/s, guarantees: [{user: a, rate: 20 ops/s}]} | do not fit target ost_io",
      })
  void whatIsWrongIsNamedWithItsPlace(String text, String message) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(DocumentException.class)
        .hasMessageContaining(message.strip());
  }
}
