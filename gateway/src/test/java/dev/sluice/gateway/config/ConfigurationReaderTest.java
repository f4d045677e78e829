package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.capacity.CapacityBounds;
import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.Network;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.Guarantee;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.document.DocumentException;
import dev.sluice.document.LimitsReader;
import dev.sluice.jobs.JobFile;
import dev.sluice.jobs.source.JobSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationReaderTest {
  private static final String LEAST =
      """
      targets: {disk: {capacity: 500 MB/s}}
      exports: {/scratch: {directory: data}}
      """;

  @TempDir Path directory;

  @Test
  void littleIsEnoughAndTheRestIsSafe() {
    GatewayConfiguration read = read(LEAST);
    assertThat(read.listen().isLoopbackAddress()).isTrue();
    assertThat(read.nfsPort()).isEqualTo(2049);
    assertThat(read.mountPort()).isEqualTo(20048);
    assertThat(read.portmapper()).isEqualTo(PortmapperChoice.AUTO);
    assertThat(read.controlSocket()).isEqualTo(read.state().resolve("control.sock"));
    assertThat(read.ledger()).hasToString(read.state().resolve("coupons.db").toString());
    assertThat(read.policy()).isEqualTo(PolicyChoice.of("fair", Map.of()));
    assertThat(read.observesOnly()).isFalse();
    assertThat(read.trustsClaimedJobs()).isFalse();
    assertThat(read.rules().rules()).isEmpty();
    assertThat(read.memoryBytes()).isEqualTo(1L << 30);
    assertThat(read.transfers().bytesMax()).isEqualTo(1 << 20);
    assertThat(read.targets())
        .containsExactly(
            new TargetConfiguration(
                new Target("disk", 500_000_000, TokenUnit.BYTES), null, 8, true));
    assertThat(read.exports())
        .containsExactly(
            new ExportConfiguration(
                "/scratch",
                directory.resolve("data"),
                "disk",
                false,
                ExportConfiguration.Squash.ROOT,
                65_534,
                65_534,
                List.of(Network.parse("127.0.0.0/8"), Network.parse("::1")),
                true,
                false));
  }

  @Test
  void thePortmapperIsChosenAndTheOlderKeyUnderstood() {
    assertThat(read(LEAST + "portmapper: own").portmapper()).isEqualTo(PortmapperChoice.OWN);
    assertThat(read(LEAST + "portmapper: off").portmapper()).isEqualTo(PortmapperChoice.OFF);
    assertThat(read(LEAST + "portmapper: rpcbind").portmapper())
        .isEqualTo(PortmapperChoice.RPCBIND);
    assertThat(read(LEAST + "rpcbind: true").portmapper()).isEqualTo(PortmapperChoice.RPCBIND);
    assertThat(read(LEAST + "rpcbind: false").portmapper()).isEqualTo(PortmapperChoice.OFF);
    assertRefused(LEAST + "portmapper: maybe", "3:13", "maybe", "auto, own, rpcbind");
    assertRefused(LEAST + "portmapper: own\nrpcbind: true", "4:10", "\"portmapper\"");
  }

  @Test
  void version4IsServedWithNumbersOrWithNames() {
    assertThat(read(LEAST).nfs4()).isEqualTo(new Nfs4Choice(true, null, Nfs4Choice.LEASE));
    assertThat(read(LEAST + "nfs4: true").nfs4())
        .isEqualTo(new Nfs4Choice(true, null, Nfs4Choice.LEASE));
    assertThat(read(LEAST + "nfs4: false").nfs4())
        .isEqualTo(new Nfs4Choice(false, null, Nfs4Choice.LEASE));
    assertThat(read(LEAST + "nfs4: {domain: example.org}").nfs4())
        .isEqualTo(new Nfs4Choice(true, "example.org", Nfs4Choice.LEASE));
    assertRefused(LEAST + "nfs4: {domain: ex@mple}", "3:16", "ex@mple", "example.org");
    assertRefused(LEAST + "nfs4: {domains: x}", "3:8", "domains");
    assertThat(read(LEAST + "nfs4: {lease: 15 s}").nfs4())
        .isEqualTo(new Nfs4Choice(true, null, Duration.ofSeconds(15)));
    assertRefused(LEAST + "nfs4: {lease: 9 s}", "3:15", "9 s", "10 s");
  }

  @Test
  void gatewaysMayServeInTurn() {
    assertThat(read(LEAST).failover()).isNull();
    assertThat(read(LEAST + "failover: {shared: /mnt/all/.sluice, name: gw1}").failover())
        .isEqualTo(
            new FailoverChoice(
                Path.of("/mnt/all/.sluice"),
                "gw1",
                Duration.ofSeconds(4),
                FailoverChoice.Replies.JOURNAL));
    assertThat(
            read(LEAST + "failover: {shared: s, name: a.b-1, takeover: 9 s, replies: forced}")
                .failover())
        .isEqualTo(
            new FailoverChoice(
                directory.resolve("s"),
                "a.b-1",
                Duration.ofSeconds(9),
                FailoverChoice.Replies.FORCED));
    assertRefused(LEAST + "failover: {shared: s}", "3:11", "name");
    assertRefused(LEAST + "failover: {shared: s, name: 'a b'}", "3:29", "a b", "letters");
    assertRefused(LEAST + "failover: {shared: s, name: a, takeover: 10 ms}", "3:42", "1 s");
    assertRefused(LEAST + "failover: {shared: s, name: a, replies: all}", "3:41", "journal");
    assertRefused(
        LEAST + "failover: {shared: data/.sluice, name: a}", "3:20", "beside", "/scratch");
  }

  @Test
  void capacitiesAreBandwidthOperationsBothOrUnknown() {
    GatewayConfiguration read =
        read(
            """
            targets:
              bytes: {capacity: 2 GB/s, pace: false}
              operations: {capacity: 20 kops/s, workers: 3}
              both: {capacity: {bandwidth: 500 MB/s, operations: 20 kops/s}}
              unknown: {capacity: auto}
              old: {capacity: measure, workers: 5}
              bounded: {capacity: {at-least: 10 MB/s, at-most: 1 GB/s}, pace: false}
            exports: {/: {directory: /srv, target: both}}
            """);
    assertThat(read.target("bytes").target())
        .isEqualTo(new Target("bytes", 2_000_000_000, TokenUnit.BYTES));
    assertThat(read.target("bytes").paced()).isFalse();
    assertThat(read.target("operations").target().unit()).isEqualTo(TokenUnit.OPERATIONS);
    assertThat(read.target("operations").workers()).isEqualTo(3);
    assertThat(read.target("both").target())
        .isEqualTo(new Target("both", 500_000_000, new TokenUnit(25_000, 1)));
    assertThat(read.target("both").capacityText()).isEqualTo("500 MB/s and 20 kops/s");
    assertThat(read.target("both").found()).isNull();
    assertThat(read.target("unknown").found()).isEqualTo(CapacityBounds.none(64));
    assertThat(read.target("unknown").paced()).isTrue();
    assertThat(read.target("unknown").capacityText()).isEqualTo("found out (auto)");
    assertThat(read.target("old").found()).isEqualTo(CapacityBounds.none(5));
    assertThat(read.target("bounded").found())
        .isEqualTo(new CapacityBounds(10_000_000, 1_000_000_000, 64));
    assertThat(read.target("bounded").paced()).isFalse();
  }

  @Test
  void limitsAreRulesOfTheTokenBucketFilter() {
    GatewayConfiguration read =
        read(
            LEAST
                + """
                limits:
                  - {name: a, match: user=alice operation=read, rate: 20 MB/s}
                  - {name: b, match: "", rate: 5 MB/s, second-rate: 100 ops/s}
                """);
    TbfRule first = read.limits().getFirst();
    assertThat(first.match()).isEqualTo(FlowMatch.parse("user=alice operation=read"));
    assertThat(first.limit().unit()).isEqualTo(TokenUnit.BYTES);
    assertThat(first.limit().rate()).isEqualTo(Rate.perSecond(20_000_000));
    assertThat(first.secondLimit()).isNull();
    assertThat(read.limits().getLast().secondLimit()).isEqualTo(LimitsReader.limit("100 ops/s"));
  }

  @Test
  void policiesTakeTheirParametersWhereTheyAreNamed() {
    GatewayConfiguration read =
        read(LEAST + "policy: {name: adaptbf, period: 50 ms, record-retention: 2 h}");
    assertThat(read.policy().periodNanos()).isEqualTo(50_000_000);
    assertThat(read.policy().settings()).isEqualTo(Map.of("record-retention", "2 h"));
  }

  @Test
  void sharesAreByJobUnlessTheFileSaysMore() {
    assertThat(read(LEAST).shares().grouping().isFlat()).isTrue();
    assertThat(read(LEAST + "shares: {by: [account, user, job]}").shares().grouping().text())
        .isEqualTo("account, user, job");
  }

  @Test
  void weightsMayBeSlurmsWhereSlurmIsAsked() {
    String slurm = LEAST + "jobs: {slurm: {}}\n";
    assertThat(read(slurm + "shares: {by: [account, job]}").shares().bySlurm()).isFalse();
    ShareChoice shares =
        read(slurm
                + "shares: {by: [group, account, user, job], weights-from: slurm,"
                + " weights: {account: {physics: 3}}}")
            .shares();
    assertThat(shares.bySlurm()).isTrue();
    assertThat(shares.grouping().weight(List.of("staff", "physics"))).isEqualTo(3);
    assertRefused(
        LEAST + "shares: {by: [account, job], weights-from: slurm}", "3:44", "jobs: {slurm");
    assertRefused(
        slurm + "shares: {by: [account, job], weights-from: slrm}", "4:44", "did you mean slurm?");
    for (String by : List.of("user, job", "job", "user, account, job", "group, job")) {
      assertRefused(
          slurm + "shares: {by: [" + by + "], weights-from: slurm}", "4:14", "and before \"user\"");
    }
  }

  @Test
  void everyMistakeIsNamedWithItsPlaceAndWhatWasExpected() {
    assertRefused(LEAST + "shares: {by: [job, user]}", "3:15", "\"job\"", "the last of all");
    assertRefused(LEAST + "shares: {by: [usr, job]}", "3:15", "did you mean user?");
    assertRefused(LEAST + "polcy: fair", "3:1", "\"polcy\"", "did you mean policy?");
    assertRefused(LEAST + "policy: adaptfb", "3:9", "adaptfb", "did you mean adaptbf?");
    assertRefused(LEAST + "policy: {name: fair, speed: 3}", "3:9", "no parameter \"speed\"");
    assertRefused(LEAST + "policy: {name: fair, period: 1 us}", "3:9", "1 ms to 1 h");
    assertRefused(LEAST + "listen: localhost", "3:9", "localhost", "0.0.0.0 for all");
    assertRefused(LEAST + "ledger: mysql://x@y/z", "3:9", "postgresql://user@host");
    assertRefused(LEAST + "ledger: 'postgresql://x:secret@y/z'", "3:9", "no password");
    assertRefused(LEAST + "nfs-port: 70000", "3:11", "0 to 65535");
    assertRefused(LEAST + "memory: 1 MiB", "3:9", "67.1 MB");
    assertRefused(LEAST + "transfer-max: 4 kB", "3:15", "from 65.5 kB to 4.19 MB");
    assertRefused(LEAST + "transfer-max: 8 MiB", "3:15", "from 65.5 kB to 4.19 MB");
    assertRefused(LEAST + "transfer-max: 1 MB", "3:15", "a multiple of 4 KiB");
    assertRefused(LEAST + "rules: none.rules", "3:8", "no such file");
    assertRefused(LEAST + "limits: [{name: a, match: usr=x, rate: 3 MB/s}]", "3:27", "user");
    assertRefused(LEAST + "limits: [{name: a, match: user=x, rate: 3}]", "3:41", "20 MB/s");
    assertRefused(
        LEAST + "limits: [{name: a, match: '', rate: 3 B/s, second-rate: 4 B/s}]",
        "3:57",
        "one of operations");
    assertRefused("exports: {/a: {directory: x}}", "1:1", "\"targets\"");
    assertRefused("targets: {}\nexports: {}", "1:10", "1 to 1000 targets");
    assertRefused(targets("{capacity: fast}"), "1:28", "fast", "expected auto");
    assertRefused(targets("{capacity: 5}"), "1:28", "500 MB/s");
    assertRefused(targets("{capacity: {bandwidth: 5 ops/s, operations: 1 ops/s}}"), "1:40", "B/s");
    assertRefused(
        targets("{capacity: {at-least: 5 MB/s, at-most: 4 MB/s}}"),
        "1:56",
        "no less than at-least");
    assertRefused(targets("{capacity: {at-most: 4 ops/s}}"), "1:38", "500 MB/s");
    assertRefused(targets("{capacity: {at-most: 4 MB/s, bandwidth: 1 B/s}}"), "1:46", "bandwidth");
    assertRefused(targets("{capacity: 1 MB/s, worker: 3}"), "1:36", "did you mean workers?");
    assertRefused(exports("scratch: {directory: x}"), "2:11", "such as /scratch");
    assertRefused(exports("/a/: {directory: x}"), "2:11", "such as /scratch");
    assertRefused(exports("/a/../b: {directory: x}"), "2:11", "such as /scratch");
    assertRefused(exports("/@a: {directory: x}"), "2:11", "job ids");
    assertRefused(exports("/a: {}"), "2:15", "\"directory\"");
    assertRefused(exports("/a: {directory: x, target: dsk}"), "2:38", "did you mean disk?");
    assertRefused(exports("/a: {directory: x, squash: rot}"), "2:38", "did you mean root?");
    assertRefused(exports("/a: {directory: x, clients: []}"), "2:39", "at least one");
    assertRefused(exports("/a: {directory: x, clients: [10.0.0.0/99]}"), "2:40", "0 to 32");
    assertRefused(
        "targets: {a: {capacity: 1 MB/s}, b: {capacity: 1 MB/s}}\nexports: {/: {directory: x}}",
        "2:14",
        "several targets");
  }

  private static String targets(String disk) {
    return "targets: {disk: " + disk + "}";
  }

  private static String exports(String export) {
    return "targets: {disk: {capacity: 1 MB/s}}\nexports: {" + export + "}";
  }

  @Test
  void aPolicyThatDividesCapacitiesTakesOneThatIsFoundOut() {
    String text =
        """
        targets: {disk: {capacity: auto}}
        exports: {/scratch: {directory: data}}
        policy: adaptbf
        """;
    assertThat(read(text).policy().info().name()).isEqualTo("adaptbf");
  }

  @Test
  void guaranteesAreRefusedWhereTheyDoNotFitWithWhatIsLeft() {
    String text =
        """
        targets: {disk: {capacity: 100 MB/s}, other: {capacity: auto}}
        exports: {/scratch: {directory: data, target: disk}}
        guarantees:
          - {user: alice, rate: 60 MB/s}
          - {account: physics, rate: 18 MB/s}
        """;
    assertThat(read(text).promises().guarantees().all())
        .containsExactly(
            new Guarantee(Guarantee.Who.USER, "alice", 60_000_000, Quantities.Counted.BYTES),
            new Guarantee(Guarantee.Who.ACCOUNT, "physics", 18_000_000, Quantities.Counted.BYTES));
    assertRefused(text.replace("18 MB/s", "26 MB/s"), "5:5", "19.5 MB/s are left");
    assertRefused(text.replace("account: physics, ", ""), "5:5", "one of job, user");
    assertRefused(text.replace("account: physics", "user: alice"), "5:5", "for each user");
    assertRefused(text.replace("18 MB/s", "fast"), "5:30", "200 MB/s");
  }

  @Test
  void goalsAreSomebodysAndOfALength() {
    String text =
        """
        targets: {disk: {capacity: 100 MB/s}}
        exports: {/scratch: {directory: data, target: disk}}
        goals:
          - {user: alice, p99: 20 ms}
          - {group: interactive, p99: 1.5 s}
        """;
    assertThat(read(text).promises().goals().all())
        .containsExactly(
            new Goal(Guarantee.Who.USER, "alice", 20_000_000),
            new Goal(Guarantee.Who.GROUP, "interactive", 1_500_000_000));
    assertRefused(text.replace("group: interactive, ", ""), "5:5", "one of job, user");
    assertRefused(text.replace("group: interactive", "user: alice"), "5:5", "one goal for each");
    assertRefused(text.replace("group: interactive", "user: ''"), "5:12", "expected a name");
    assertRefused(text.replace("1.5 s", "11 s"), "5:31", "10 s");
    assertRefused(text.replace("1.5 s", "fast"), "5:31", "expected");
    assertRefused(text.replace("p99: 1.5 s", "p50: 1.5 s"), "5:26", "p99");
  }

  @Test
  void aLimitMaySaveTimeWithoutRequestsUp() {
    TbfRule shared =
        read(LEAST
                + "limits: [{name: a, match: '', rate: 7 ops/s, second-rate: 9 MB/s, gateways: 3}]")
            .limits()
            .getFirst();
    assertThat(shared.limit().rate()).isEqualTo(new Rate(7, 3 * Rate.NANOS_PER_SECOND));
    assertThat(Objects.requireNonNull(shared.secondLimit()).rate())
        .isEqualTo(new Rate(9_000_000, 3 * Rate.NANOS_PER_SECOND));
    assertRefused(
        LEAST + "limits: [{name: a, match: '', rate: 7 ops/s, gateways: 0}]", "3:56", "1");
    String limits = "limits: [{name: a, match: user=x, rate: 20 MB/s, burst: 60 s}]";
    assertThat(read(LEAST + limits).limits().getFirst().limit().depthTokens())
        .isEqualTo(1_200_000_000);
    assertRefused(
        LEAST + limits.replace("60 s", "1000 s"), "3:57", "expected at most 1.78 min at this rate");
  }

  @Test
  void aPolicyOverAllTargetsIsRefusedWhereTheyCountDifferentThings() {
    String text =
        """
        targets: {disk: {capacity: 1 MB/s}, names: {capacity: 5 kops/s}}
        exports: {/scratch: {directory: data, target: disk}}
        policy: gift
        """;
    assertRefused(text, "3:9", "target names counts operations alone");
    assertThat(read(text.replace("5 kops/s", "5 MB/s")).policy().info().name()).isEqualTo("gift");
  }

  @Test
  void mistakesInTheRulesAreFoundWithTheConfiguration() throws IOException {
    Files.writeString(directory.resolve("site.rules"), "a: user=alice\nb: usr=x\n");
    assertRefused(LEAST + "rules: site.rules", "3:8", "line 2");
    Files.writeString(directory.resolve("site.rules"), "a: user=alice -> job=x\n");
    assertThat(read(LEAST + "rules: site.rules").rules().rules()).hasSize(1);
  }

  @Test
  void jobsAreInAFileOrSlurms() {
    assertThat(read(LEAST).jobs()).isNull();
    assertThat(read(LEAST + "jobs: jobs.yaml").jobs())
        .isEqualTo(new JobSource.InFile(directory.resolve("jobs.yaml")));
    assertThat(read(LEAST + "jobs: {slurm: {spool: spool}}").jobs())
        .isInstanceOf(JobSource.Slurm.class);
    assertRefused(LEAST + "jobs: {slrum: {}}", "3:8", "did you mean slurm?");
    assertRefused(LEAST + "jobs: ''", "3:7", "expected a path, or slurm:");
  }

  @Test
  void theExamplesCanBeRead() throws IOException {
    Path examples = Path.of("").toAbsolutePath().resolveSibling("examples").resolve("gateway");
    List<Path> files;
    try (Stream<Path> found = Files.list(examples)) {
      files =
          found
              .filter(file -> !file.endsWith("jobs.yaml") && file.toString().endsWith(".yaml"))
              .toList();
    }
    assertThat(files).hasSizeGreaterThan(1);
    for (Path file : files) {
      assertThat(ConfigurationReader.read(file, PolicyRegistry.standard()).exports()).isNotEmpty();
    }
    assertThat(JobFile.read(examples.resolve("jobs.yaml"))).isNotEmpty();
    Path slurm = examples.resolveSibling("slurm").resolve("sluice.yaml");
    assertThat(ConfigurationReader.read(slurm, PolicyRegistry.standard()).jobs())
        .isInstanceOf(JobSource.Slurm.class);
  }

  private GatewayConfiguration read(String text) {
    return ConfigurationReader.parse("sluice.yaml", text, directory);
  }

  private void assertRefused(String text, String place, String... words) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(DocumentException.class)
        .hasMessageStartingWith("sluice.yaml:" + place + ":")
        .hasMessageContainingAll(words);
  }
}
