package dev.sluice.lustre.tbf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.standin.StandInServer;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RulePlanTest {
  private static final LustreVersion VERSION = LustreVersion.of(2, 15, 8);

  @Test
  void anUnchangedRateIsNeverWritten() {
    RuleTable table =
        RuleTable.parse("regular_requests:\nCPT 0:\nsl_1 {1} 100, ref 1\ndefault {*} 1, ref 0\n");
    RulePlan plan = new RulePlan(0.05);

    assertThat(commands(plan, table, 100)).isEmpty();
    assertThat(commands(plan, table, 105)).isEmpty();
    assertThat(commands(plan, table, 95)).isEmpty();
    assertThat(commands(plan, table, 106)).containsExactly("reg change sl_1 rate=106");
    assertThat(commands(new RulePlan(0), table, 101)).containsExactly("reg change sl_1 rate=101");
    assertThat(commands(new RulePlan(0), table, 100)).isEmpty();
  }

  private static List<String> commands(RulePlan plan, RuleTable table, long rate) {
    return plan
        .commands(
            List.of(new WantedRule("sl_1", new JobPattern.Exact("1"), rate)),
            table,
            Set.of("sl_1"),
            "default")
        .stream()
        .map(RuleCommand::text)
        .toList();
  }

  @Test
  void whateverIsThereBecomesWhatIsWantedAndOthersRulesStay() {
    SeededCases.forAll(
        2_000,
        random -> {
          int partitions = 1 + random.nextInt(4);
          StandInServer<String> server = StandInServer.filtering(VERSION, partitions);
          int[] writes = {0};
          // What an administrator and earlier periods left, some of it on some partitions only.
          for (int i = 0; i < 12; i++) {
            String name = (random.nextBoolean() ? "sl_" : "adm") + random.nextInt(6);
            String queue = random.nextInt(4) > 0 ? "reg " : "";
            int succeeding = random.nextInt(6) == 0 ? random.nextInt(partitions) : 99;
            writes[0] = 0;
            server.outOfMemory(() -> writes[0]++ >= succeeding);
            String job = random.nextInt(5) == 0 ? "7" : name.substring(3);
            switch (random.nextInt(4)) {
              case 0 -> server.write(queue + "stop " + name);
              case 1 -> server.write(queue + "change " + name + " rate=" + random.nextInt(1, 9));
              default ->
                  server.write(
                      queue
                          + "start "
                          + name
                          + " jobid={"
                          + job
                          + "} rate="
                          + random.nextInt(1, 400));
            }
          }
          server.outOfMemory(() -> false);
          List<Map<String, Long>> before = others(server, partitions);
          List<WantedRule> wanted = new ArrayList<>();
          for (int i = 0; i < 6; i++) {
            if (random.nextInt(3) > 0) {
              wanted.add(
                  new WantedRule("sl_" + i, new JobPattern.Exact("" + i), random.nextInt(1, 400)));
            }
          }
          Set<String> ours = Set.of("sl_0", "sl_1", "sl_2", "sl_3", "sl_4", "sl_5");
          RulePlan plan = new RulePlan(random.nextInt(3) / 20.0);

          RuleTable seen = RuleTable.parse(server.rulesShown());
          List<RuleCommand> commands = plan.commands(wanted, seen, ours, "default");
          for (RuleCommand command : commands) {
            assertThat(ours).contains(command.name());
            assertThat(server.write(command.text())).as(command.text()).isZero();
          }

          RuleTable after = RuleTable.parse(server.rulesShown());
          for (WantedRule rule : wanted) {
            SeenRule there = Objects.requireNonNull(after.rule(rule.name()));
            assertThat(there.partitions()).isEqualTo(partitions);
            assertThat(there.alike()).isTrue();
            assertThat(there.list()).isEqualTo(rule.pattern().text());
          }
          assertThat(after.namesWith("sl_")).hasSize(wanted.size());
          assertThat(plan.commands(wanted, after, ours, "default")).isEmpty();
          assertThat(others(server, partitions)).isEqualTo(before);
          // What would come of the commands is what came of them.
          RuleTable foreseen = seen.after(commands);
          assertThat(plan.commands(wanted, foreseen, ours, "default")).isEmpty();
        });
  }

  private static List<Map<String, Long>> others(StandInServer<String> server, int partitions) {
    List<Map<String, Long>> rules = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      Map<String, Long> kept = new HashMap<>(server.rules(i));
      kept.keySet().removeIf(name -> name.startsWith("sl_"));
      rules.add(kept);
    }
    return rules;
  }
}
