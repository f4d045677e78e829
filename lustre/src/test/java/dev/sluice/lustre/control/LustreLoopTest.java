package dev.sluice.lustre.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.guarantee.Guarantee;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.jobs.JobDirectory;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.lctl.LustreServer;
import dev.sluice.lustre.standin.StandInLctl;
import dev.sluice.lustre.standin.StandInLctl.Fault;
import dev.sluice.lustre.standin.StandInServer;
import dev.sluice.lustre.tbf.RuleCommand;
import dev.sluice.testkit.SeededCases;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LustreLoopTest {
  private static final List<Fault> FAULTS = List.copyOf(EnumSet.allOf(Fault.class));
  private static final AtomicInteger RIGS = new AtomicInteger();

  @TempDir Path directory;

  private Rig rig(StandInServer<String> server) throws Exception {
    return new Rig(server, directory.resolve("rig" + RIGS.incrementAndGet()), "");
  }

  private Rig rig(String version, int partitions) throws Exception {
    return rig(Rig.filtering(version, partitions));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.12.9", "2.14.0", "2.15.1", "2.15.8", "2.16.1", "2.17.57"})
  void busyJobsGetRulesByNodes(String version) throws Exception {
    try (Rig rig = rig(version, 1)) {
      rig.jobs.add(JobId.of("100"), 3);
      rig.jobs.add(JobId.of("200"), 1);
      assertThat(rig.period(Map.of()).problems()).isEmpty();
      for (int i = 0; i < 4; i++) {
        PeriodReport report = rig.period(Map.of("100", 900, "200", 900));
        assertThat(report.problems()).isEmpty();
      }

      Map<String, Long> rules = rig.ownRules();
      assertThat(rules).containsOnlyKeys("sl_100", "sl_200");
      assertThat(rules.get("sl_100")).isBetween(700L, 850L);
      assertThat(rules.get("sl_200")).isBetween(230L, 290L);
      assertThat(rig.server.crash()).isNull();
      assertThat(rig.custody.giveBack()).isNull();
      assertThat(rig.ownRules()).isEmpty();
    }
  }

  @Test
  void aRateIsDividedAmongThePartitionsThatServeTheJob() throws Exception {
    try (Rig rig = rig("2.15.8", 4)) {
      rig.period(Map.of());
      rig.period(Map.of("100", 1_000));
      for (int i = 0; i < 6; i++) {
        // It uses all that each of its partitions lets pass.
        long rate = Objects.requireNonNull(rig.ownRules().get("sl_100"));
        rig.period(Map.of("100", (int) (4 * rate)));
      }
      // All of the capacity, over four partitions.
      assertThat(rig.ownRules().get("sl_100")).isBetween(240L, 290L);
    }
  }

  @Test
  void anIdleJobKeepsItsRuleForAWhileAndThenLosesIt() throws Exception {
    try (Rig rig = rig("2.15.8", 1)) {
      rig.period(Map.of());
      rig.period(Map.of("100", 500, "200", 500));
      assertThat(rig.ownRules()).containsOnlyKeys("sl_100", "sl_200");
      for (int i = 1; i < LustreControl.LINGER_PERIODS; i++) {
        rig.period(Map.of("200", 500));
        assertThat(rig.ownRules()).containsOnlyKeys("sl_100", "sl_200");
      }
      // It may begin with its share.
      assertThat(rig.ownRules().get("sl_100")).isBetween(450L, 550L);
      rig.period(Map.of("200", 500));
      assertThat(rig.ownRules()).containsOnlyKeys("sl_200");
    }
  }

  @Test
  void nothingIsWrittenWhileNothingChanges() throws Exception {
    try (Rig rig = rig("2.15.8", 2)) {
      rig.period(Map.of());
      Map<String, Integer> load = Map.of("100", 300, "200", 300, "300", 300);
      // Until it is found out that more is not to be had.
      for (int i = 0; i < 60; i++) {
        rig.period(load);
      }
      int writes = rig.server.ruleWrites();
      int calls = rig.lctl.calls();
      for (int i = 0; i < 20; i++) {
        assertThat(rig.period(load).commands()).isEmpty();
      }
      assertThat(rig.server.ruleWrites()).isEqualTo(writes);
      assertThat(rig.server.unchangedWrites()).isZero();
      // One to read, none to write.
      assertThat(rig.lctl.calls() - calls).isEqualTo(20);
    }
  }

  @Test
  void aThousandRulesTakeFewCalls() throws Exception {
    try (Rig rig = rig("2.15.8", 1)) {
      rig.period(Map.of());
      int calls = rig.lctl.calls();
      Map<String, Integer> load = new HashMap<>();
      for (int i = 0; i < 1_000; i++) {
        load.put("job-" + i, 5);
      }
      PeriodReport report = rig.period(load);

      assertThat(report.commands()).hasSize(1_000);
      assertThat(rig.ownRules()).hasSize(1_000);
      assertThat(rig.lctl.calls() - calls).isLessThanOrEqualTo(5);
    }
  }

  @Test
  void rulesOfOthersArePutFirstAndNeverTouched() throws Exception {
    try (Rig rig = rig("2.15.8", 2)) {
      rig.server.write("start vip jobid={100} rate=77");
      rig.server.write("start backups jobid={rsync.* tar.*} rate=20");
      List<Map<String, Long>> before = rig.othersRules();
      rig.period(Map.of());
      Map<String, Integer> load = Map.of("100", 300, "rsync.0", 300, "200", 300);
      PeriodReport report = rig.period(load);

      assertThat(rig.ownRules()).containsOnlyKeys("sl_200");
      assertThat(reason(report, "100")).isEqualTo("rule vip of others matches it");
      assertThat(reason(report, "rsync.0")).isEqualTo("rule backups of others matches it");
      // An administrator takes a job that had a rule of ours.
      rig.server.write("start mine jobid={200} rate=5");
      rig.period(load);
      assertThat(rig.ownRules()).isEmpty();
      assertThat(rig.server.rules(0).keySet()).containsExactly("mine", "backups", "vip", "default");
      rig.server.write("stop mine");
      rig.period(load);
      assertThat(rig.ownRules()).containsOnlyKeys("sl_200");
      assertThat(rig.othersRules()).isEqualTo(before);
    }
  }

  private static String reason(PeriodReport report, String job) {
    for (JobReport line : Objects.requireNonNull(report.decision()).jobs()) {
      if (line.job().toString().equals(job)) {
        return String.valueOf(line.leftAlone());
      }
    }
    throw new AssertionError("no job " + job);
  }

  @Test
  void whatAnAdministratorDoesToOurRulesIsPutRight() throws Exception {
    try (Rig rig = rig("2.15.8", 2)) {
      Map<String, Integer> load = Map.of("100", 300, "200", 300);
      rig.period(Map.of());
      for (int i = 0; i < 8; i++) {
        rig.period(load);
      }
      Map<String, Long> rules = rig.ownRules();
      rig.server.write("stop sl_100");
      rig.server.write("reg change sl_200 rate=1");
      rig.period(load);
      assertThat(rig.ownRules().keySet()).isEqualTo(rules.keySet());
      assertThat(rig.ownRules().get("sl_200")).isGreaterThan(100);
      rig.server.write("reg stop sl_100");
      rig.server.write("reg start sl_100 jobid={somebody-else} rate=3");
      rig.period(load);
      assertThat(rig.server.list("sl_100")).isEqualTo("100");
    }
  }

  @Test
  void aRebootLosesAllRulesAndTheyComeBack() throws Exception {
    try (Rig rig = rig("2.15.8", 2)) {
      Map<String, Integer> load = Map.of("100", 300, "200", 300);
      rig.period(Map.of());
      rig.period(load);
      assertThat(rig.ownRules()).hasSize(2);
      rig.server.reboot("tbf jobid");
      rig.period(load);
      assertThat(rig.ownRules()).containsOnlyKeys("sl_100", "sl_200");
      // It comes back without its filter, which may not be turned on at run time here.
      rig.server.reboot("fifo");
      PeriodReport report = rig.period(load);
      assertThat(report.problems())
          .singleElement()
          .asString()
          .startsWith("nobody is limited: ost.OSS.ost_io.nrs_policies is \"fifo\"");
      assertThat(rig.server.policy()).isEqualTo("fifo");
      // Its administrator turns it on.
      rig.server.reboot("tbf jobid");
      rig.period(load);
      rig.period(load);
      assertThat(rig.ownRules()).containsOnlyKeys("sl_100", "sl_200");
      assertThat(rig.server.crash()).isNull();
    }
  }

  @Test
  void whoeverMayTurnTheFilterOnDoesSoAgainAfterAReboot() throws Exception {
    StandInServer<String> server = Rig.filtering("2.16.1", 1);
    server.reboot("fifo");
    try (Rig rig = new Rig(server, directory.resolve("switching"), ", switch-policy: true")) {
      assertThat(server.policy()).isEqualTo("tbf jobid");
      rig.period(Map.of());
      server.reboot("fifo");
      rig.period(Map.of("100", 5));
      assertThat(server.policy()).isEqualTo("tbf jobid");
      rig.period(Map.of("100", 5));
      assertThat(rig.ownRules()).containsOnlyKeys("sl_100");
      assertThat(rig.custody.giveBack()).isNull();
      assertThat(server.policy()).isEqualTo("fifo");
    }
  }

  @Test
  void withoutNewsOfTheJobsNoLimitHolds() throws Exception {
    try (Rig rig = rig("2.15.8", 1)) {
      rig.period(Map.of());
      rig.period(Map.of("100", 300));
      assertThat(rig.ownRules()).hasSize(1);
      AtomicInteger calls = new AtomicInteger();
      // The first call of a period reads everything, and the second what jobs did.
      rig.lctl.faults(() -> calls.getAndIncrement() < 2 ? Fault.FAILS : Fault.NONE);
      int periods = 0;
      while (!rig.ownRules().isEmpty() && periods < 30) {
        periods++;
        calls.set(0);
        rig.period(Map.of("100", 300));
      }
      assertThat(periods).isEqualTo(LustreLoop.BLIND_PERIODS_MAX);
      rig.lctl.faults(() -> Fault.NONE);
      rig.period(Map.of("100", 300));
      assertThat(rig.ownRules()).hasSize(1);
    }
  }

  @Test
  void whateverFailsTheRulesConvergeAndNoRuleOfOthersIsTouched() throws Exception {
    SeededCases.forAll(
        150,
        random -> {
          StandInServer<String> server =
              Rig.filtering(random.nextBoolean() ? "2.15.8" : "2.12.9", 1 + random.nextInt(3));
          try (Rig rig = rig(server)) {
            server.write("start vip jobid={50} rate=77");
            server.write("start wild jobid={x*} rate=20");
            rig.lctl.faults(() ->
                random.nextInt(4) > 0 ? Fault.NONE : FAULTS.get(random.nextInt(FAULTS.size())));
            server.outOfMemory(() -> random.nextInt(6) == 0);
            for (int i = 0; i < 25; i++) {
              Map<String, Integer> load = new HashMap<>();
              for (int j = 0; j < 8; j++) {
                load.put("" + 50 * random.nextInt(1, 9), random.nextInt(1, 400));
              }
              rig.period(load);
              if (random.nextInt(8) == 0) {
                server.write("reg stop sl_" + 50 * random.nextInt(1, 9));
              }
              if (random.nextInt(12) == 0) {
                server.reboot("tbf jobid");
              }
            }
            rig.lctl.faults(() -> Fault.NONE);
            server.outOfMemory(() -> false);
            server.write("start vip jobid={50} rate=77");
            server.write("start wild jobid={x*} rate=20");
            List<Map<String, Long>> others = rig.othersRules();
            Map<String, Integer> load = Map.of("50", 100, "100", 200, "150", 300, "x1", 5);
            for (int i = 0; i < 12; i++) {
              rig.period(load);
            }

            assertThat(rig.ownRules()).containsOnlyKeys("sl_100", "sl_150");
            assertThat(rig.othersRules()).isEqualTo(others);
            assertThat(server.crash()).isNull();
            assertThat(rig.period(load).problems()).isEmpty();
            assertThat(rig.custody.giveBack()).isNull();
            assertThat(rig.ownRules()).isEmpty();
            assertThat(rig.othersRules()).isEqualTo(others);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.12.9", "2.15.8", "2.17.57"})
  void oddJobIdsAreRuledRightOrLeftAloneWithAReason(String version) throws Exception {
    List<String> odd =
        List.of(
            "a b",
            "say\"hi\"",
            "a,b",
            "c&d",
            "star*",
            "k/86:1",
            "\u00e9t\u00e9",
            "x\u0001y",
            "back\\x20",
            "1234567890123456789012345678901",
            "many sp ac es",
            "{brace}",
            "{",
            "=");
    try (Rig rig = rig(version, 2)) {
      rig.period(Map.of());
      Map<String, Integer> load = new HashMap<>();
      odd.forEach(id -> load.put(id, 50));
      rig.period(load);
      PeriodReport report = rig.period(load);

      assertThat(report.problems()).isEmpty();
      assertThat(rig.server.crash()).isNull();
      int ruled = 0;
      for (String id : odd) {
        String rule = rig.server.ruleOf(id);
        boolean isRuled = rule.startsWith("sl_");
        ruled += isRuled ? 1 : 0;
        JobReport line = line(report, id, version);
        assertThat(isRuled).as(id).isEqualTo(line.leftAlone() == null);
        if (isRuled) {
          assertThat(rule).as(id).isEqualTo(line.rule());
        }
      }
      assertThat(ruled).isGreaterThanOrEqualTo(9);
    }
  }

  private static JobReport line(PeriodReport report, String id, String version) {
    boolean old = version.equals("2.12.9");
    for (JobReport line : Objects.requireNonNull(report.decision()).jobs()) {
      String bytes = line.activity().job().bytes();
      if (bytes.equals(id) || (old && bytes.equals(id.replace('\u0001', '?')))) {
        return line;
      }
    }
    throw new AssertionError("no job " + id);
  }

  @Test
  void aPatternThatWouldMatchAnotherJobIsNotUsed() throws Exception {
    try (Rig rig = rig("2.15.8", 1)) {
      rig.period(Map.of());
      rig.period(Map.of("a b", 50));
      assertThat(rig.server.ruleOf("a b")).startsWith("sl__");
      PeriodReport report = rig.period(Map.of("a b", 50, "axxb", 50));
      assertThat(reason(report, "a b"))
          .isEqualTo(
              "its id cannot be written into a rule as it is, and a*b would match axxb, too");
      assertThat(rig.server.ruleOf("a b")).isEqualTo("default");
      assertThat(rig.server.ruleOf("axxb")).isEqualTo("sl_axxb");
    }
  }

  @Test
  void lookingWritesNothingAndTellsWhatItWould() throws Exception {
    StandInServer<String> server = Rig.filtering("2.15.8", 1);
    server.reboot("fifo");
    StandInLctl lctl = new StandInLctl(server);
    long[] now = {0};
    LustreLoop loop =
        LustreLoop.looking(
            new LustreServer(lctl, LustreService.OST_IO),
            Rig.configuration(directory, ""),
            JobDirectory.EMPTY,
            () -> now[0]);
    loop.step(0);
    for (int period = 1; period <= 3; period++) {
      now[0] += Rig.SECOND;
      server.served(Rig.TARGET, "100", 300, 1, now[0]);
      List<RuleCommand> commands = loop.step(now[0]).commands();
      if (period == 1) {
        assertThat(commands)
            .extracting(RuleCommand::text)
            .containsExactly("reg start sl_100 jobid={100} rate=1053 rank=default");
      } else {
        assertThat(commands).isEmpty();
      }
    }
    for (int period = 0; period < LustreControl.LINGER_PERIODS - 1; period++) {
      now[0] += Rig.SECOND;
      assertThat(loop.step(now[0]).commands()).isEmpty();
    }
    now[0] += Rig.SECOND;
    assertThat(loop.step(now[0]).commands())
        .extracting(RuleCommand::text)
        .containsExactly("reg stop sl_100");
    assertThat(lctl.written()).isEmpty();
  }

  @Test
  void decisionsDoNotDriftAndComeLateNoLongerThanCommandsTake() throws Exception {
    long second = Rig.SECOND;
    try (Rig rig = rig("2.15.56", 1)) {
      assertThat(rig.loop.nextNanos(0, 1, second / 3)).isEqualTo(second);
      // After a long command at once, but a period after jobs were last looked at.
      assertThat(rig.loop.nextNanos(0, second, 3 * second + 1)).isEqualTo(3 * second + 1);
      assertThat(rig.loop.nextNanos(0, 3 * second, 3 * second + 1)).isEqualTo(4 * second);
    }
    // Reading holds up requests there: it has a tenth of the time.
    try (Rig rig = rig("2.15.8", 1)) {
      assertThat(rig.loop.nextNanos(0, 1_000_000, second / 3)).isEqualTo(second);
      assertThat(rig.loop.nextNanos(0, 1_300_000_000, 2 * second)).isEqualTo(13 * second);
    }
  }

  @Test
  void whoGetsAllThatItAsksForIsNotHeldBack() throws Exception {
    try (Rig rig = rig("2.17.57", 1)) {
      rig.period(Map.of());
      rig.period(Map.of("100", 500, "200", 300));
      // It uses up what its rule lets pass, and nobody waits.
      rig.server.microsOfEach(0);
      long rate = Objects.requireNonNull(rig.ownRules().get("sl_100"));
      PeriodReport report = rig.period(Map.of("100", (int) rate, "200", 300));
      assertThat(Objects.requireNonNull(report.decision()).jobs()).noneMatch(JobReport::heldBack);
      rig.server.microsOfEach(10_000);
      rate = Objects.requireNonNull(rig.ownRules().get("sl_100"));
      report = rig.period(Map.of("100", (int) rate, "200", 300));
      assertThat(Objects.requireNonNull(report.decision()).jobs())
          .anyMatch(job -> job.heldBack() && job.job().toString().equals("100"));
    }
  }

  @Test
  void aCommandThatFailsIsToldOfThoughTheLastSucceeds() throws Exception {
    try (Rig rig = rig("2.17.57", 1)) {
      rig.period(Map.of());
      rig.lctl.faults(() -> Fault.LOSES);
      // Of four commands the first and the third are lost, and the exit code is the last one's.
      PeriodReport report = rig.period(Map.of("1", 10, "2", 10, "3", 10, "4", 10));
      assertThat(report.problems())
          .singleElement()
          .asString()
          .contains("Cannot allocate memory")
          .endsWith("(and 1 more like it)");
    }
  }

  @Test
  void hundredsOfFloorsAreNoMoreThanTheCapacity() throws Exception {
    try (Rig rig = new Rig(Rig.filtering("2.17.57", 1), directory, ", capacity: 300 ops/s")) {
      rig.period(Map.of());
      Map<String, Integer> load = new HashMap<>();
      for (int i = 0; i < 200; i++) {
        load.put("job" + i, i < 3 ? 200 : 2);
      }
      for (int i = 0; i < 5; i++) {
        rig.period(load);
      }
      long sum = rig.ownRules().values().stream().mapToLong(Long::longValue).sum();
      assertThat(rig.ownRules()).hasSize(200);
      assertThat(sum).isLessThanOrEqualTo(1_100L * 300 / 1_000);
      assertThat(rig.ownRules().values()).allMatch(rate -> rate >= 1);
    }
  }

  @Test
  void whoLooksOnBesideAnAgentKnowsItsRules() throws Exception {
    try (Rig rig = rig("2.17.57", 1)) {
      long[] now = {rig.nowNanos};
      LustreLoop looking =
          LustreLoop.looking(rig.parameters, rig.configuration, rig.jobs, () -> now[0]);
      Map<String, Integer> load = Map.of("100", 300, "\u00c3\u00bcmlaut", 200);
      rig.period(Map.of());
      looking.step(rig.nowNanos);
      for (int i = 0; i < 3; i++) {
        rig.period(load);
        now[0] = rig.nowNanos;
        PeriodReport report = looking.step(rig.nowNanos);
        assertThat(report.problems()).isEmpty();
        List<JobReport> jobs = Objects.requireNonNull(report.decision()).jobs();
        assertThat(jobs).extracting(JobReport::leftAlone).containsOnlyNulls();
        assertThat(jobs)
            .extracting(job -> job.job().toString())
            .containsExactlyInAnyOrder("100", "\u00fcmlaut");
      }
      assertThat(rig.ownRules()).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"static", "fair", "adaptbf"})
  void everyPolicyIsCarriedOutByRates(String policy) throws Exception {
    try (Rig rig = new Rig(Rig.filtering("2.17.57", 1), directory, ", policy: " + policy)) {
      rig.jobs.add(JobId.of("100"), 3);
      rig.jobs.add(JobId.of("200"), 1);
      rig.period(Map.of());
      for (int i = 0; i < 6; i++) {
        rig.period(Map.of("100", 900, "200", 900));
      }
      assertThat(rig.ownRules().get("sl_100")).isBetween(700L, 900L);
      assertThat(rig.ownRules().get("sl_200")).isBetween(230L, 310L);
    }
  }

  @Test
  void whoDecidesNothingHoldsOnlyLimits() throws Exception {
    String settings =
        ", policy: none, limits: [{name: backup, match: \"job=rsync*\", rate: 50 ops/s}]";
    try (Rig rig = new Rig(Rig.filtering("2.17.57", 1), directory, settings)) {
      rig.period(Map.of());
      rig.period(Map.of("100", 900, "rsync.0", 300));
      rig.period(Map.of("100", 900, "rsync.0", 300));
      assertThat(rig.ownRules()).hasSize(1);
      assertThat(rig.server.ruleOf("rsync.0")).startsWith("sl_");
      assertThat(rig.ownRules().values().iterator().next()).isBetween(49L, 52L);
      assertThat(rig.server.ruleOf("100")).isEqualTo("default");
    }
  }

  @Test
  void aGuaranteeIsKeptByFairShares() throws Exception {
    String settings = ", policy: fair, guarantees: [{job: \"200\", rate: 600 ops/s}]";
    try (Rig rig = new Rig(Rig.filtering("2.17.57", 1), directory, settings)) {
      rig.period(Map.of());
      for (int i = 0; i < 6; i++) {
        rig.period(Map.of("100", 900, "200", 900, "300", 900));
      }
      assertThat(rig.ownRules().get("sl_200")).isGreaterThanOrEqualTo(590L);
      assertThat(rig.ownRules().get("sl_100")).isBetween(150L, 200L);
    }
  }

  /** An order of phases as rates: nobody has less than half of its share, all have the server. */
  @Test
  void ourOwnPolicyOverAllTargetsSetsRates() throws Exception {
    try (Rig rig = new Rig(Rig.filtering("2.17.57", 1), directory, ", policy: sojourn-all")) {
      rig.period(Map.of());
      for (int i = 0; i < 6; i++) {
        rig.period(Map.of("100", 900, "200", 900, "300", 900));
      }
      Map<String, Long> rules = rig.ownRules();
      assertThat(rules).hasSize(3);
      assertThat(rules.values()).allSatisfy(rate -> assertThat(rate).isGreaterThan(160L));
      assertThat(rules.values().stream().mapToLong(Long::longValue).sum()).isBetween(900L, 1_200L);
    }
  }

  /** Of two that name a job, the one that was ordered counts; without orders, our own. */
  @Test
  void aGuaranteeThatWasOrderedComesBeforeOurOwn() throws Exception {
    String settings = ", policy: fair, guarantees: [{job: \"200\", rate: 200 ops/s}]";
    try (Rig rig = new Rig(Rig.filtering("2.17.57", 1), directory, settings)) {
      rig.period(Map.of());
      rig.loop.ordered().guarantee(guaranteed("200", 600));
      for (int i = 0; i < 6; i++) {
        rig.period(Map.of("100", 900, "200", 900, "300", 900));
      }
      assertThat(rig.ownRules().get("sl_200")).isGreaterThanOrEqualTo(590L);

      rig.loop.ordered().guarantee(Guarantees.NONE);
      for (int i = 0; i < 6; i++) {
        rig.period(Map.of("100", 900, "200", 900, "300", 900));
      }
      assertThat(rig.ownRules().get("sl_200")).isBetween(300L, 420L);
    }
  }

  /** Whoever orders does not know what this server can do: it keeps what it can, in proportion. */
  @Test
  void moreThanTheServerCanDoIsKeptInProportion() throws Exception {
    try (Rig rig = new Rig(Rig.filtering("2.17.57", 1), directory, ", policy: fair")) {
      rig.period(Map.of());
      rig.loop.ordered().guarantee(guaranteed("100", 30_000).before(guaranteed("200", 10_000)));
      for (int i = 0; i < 6; i++) {
        rig.period(Map.of("100", 900, "200", 900, "300", 900));
      }
      Map<String, Long> rules = rig.ownRules();
      long lesser = Objects.requireNonNull(rules.get("sl_200"));
      assertThat(rules.get("sl_100")).isBetween(2 * lesser, 4 * lesser);
      assertThat(rules.get("sl_300")).as("who was promised nothing").isGreaterThanOrEqualTo(10L);
    }
  }

  private static Guarantees guaranteed(String job, long perSecond) {
    return new Guarantees(
        List.of(new Guarantee(Guarantee.Who.JOB, job, perSecond, Quantities.Counted.OPERATIONS)));
  }
}
