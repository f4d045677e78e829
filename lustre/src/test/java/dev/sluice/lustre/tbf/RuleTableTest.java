package dev.sluice.lustre.tbf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.lustre.LustreJobId;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RuleTableTest {
  private static final String UNTIL_2_17_50 =
      """
      regular_requests:
      CPT 0:
      dd_user {dd.* cp.1} 50, ref 2
      sl_4711 {4711} 250, ref 1
      default {*} 10000, ref 7
      CPT 1:
      dd_user {dd.* cp.1} 50, ref 0
      sl_4711 {4711} 250, ref 0
      default {*} 10000, ref 7
      high_priority_requests:
      CPT 0:
      hp_only {x} 5, ref 0
      default {*} 10000, ref 0
      CPT 1:
      default {*} 10000, ref 0
      """;

  private static final String LATER =
      """
      regular_requests:
      CPT 0:
      dd_user jobid={dd.*}&opcode={ost_read},jobid={cp.1} 50, ref 2
      sl_4711 jobid={4711} 250, ref 1
      default * 10000, ref 7
      """;

  private static LustreJobId job(String id) {
    return new LustreJobId(id);
  }

  private static SeenRule rule(RuleTable table, String name) {
    return Objects.requireNonNull(table.rule(name));
  }

  @Test
  void theNameOfTheOnlyFieldSaysNothing() {
    assertThat(RuleTable.list("uid={1001 1002}")).isEqualTo("1001 1002");
    assertThat(RuleTable.list("{1001 1002}")).isEqualTo("1001 1002");
    assertThat(RuleTable.list("uid={1}&opcode={ost_read}")).isEqualTo("uid={1}&opcode={ost_read}");
    assertThat(RuleTable.list("*")).isEqualTo("*");
  }

  @Test
  void readsRulesOverAllPartitions() {
    RuleTable table = RuleTable.parse(UNTIL_2_17_50);

    assertThat(table.partitions()).isEqualTo(2);
    assertThat(table.defaultRate()).isEqualTo(10_000);
    assertThat(rule(table, "sl_4711")).isEqualTo(new SeenRule("sl_4711", "4711", 2, true, 250, 1));
    assertThat(table.has("hp_only")).isTrue();
    assertThat(table.rule("hp_only")).isNull();
    assertThat(table.namesWith("sl_")).containsExactly("sl_4711");
  }

  @Test
  void readsTheLaterForm() {
    RuleTable table = RuleTable.parse(LATER);

    assertThat(rule(table, "sl_4711").list()).isEqualTo("4711");
    assertThat(rule(table, "dd_user").patterns()).contains("dd.*", "cp.1");
  }

  @Test
  void noticesWhatDiffersBetweenPartitions() {
    RuleTable table =
        RuleTable.parse(
            """
            regular_requests:
            CPT 0:
            a {1} 5, ref 0
            b {2} 5, ref 0
            CPT 1:
            a {1} 6, ref 0
            """);

    assertThat(rule(table, "a").alike()).isFalse();
    assertThat(rule(table, "b").partitions()).isEqualTo(1);
  }

  @Test
  void namesThePlaceOfWhatItDoesNotUnderstand() {
    assertThatThrownBy(() -> RuleTable.parse("regular_requests:\nCPT 0:\nbad line\n"))
        .hasMessage("nrs_tbf_rule, line 3: \"bad line\": expected NAME {LIST} RATE, ref NUMBER");
    assertThatThrownBy(() -> RuleTable.parse("regular_requests:\nCPT 0:\na {b} x, ref 1\n"))
        .hasMessageContaining("line 3");
    assertThatThrownBy(() -> RuleTable.parse(""))
        .hasMessage("nrs_tbf_rule: expected rules of at least one CPT");
  }

  @Test
  void whatOthersRuleIsLeftToThem() {
    RuleTable table = RuleTable.parse(UNTIL_2_17_50);
    OthersRules others = new OthersRules(table, Set.of("sl_4711")::contains);

    assertThat(others.ruling(job("dd.1000"))).isEqualTo("dd_user");
    assertThat(others.ruling(job("cp.1"))).isEqualTo("dd_user");
    assertThat(others.ruling(job("cp.2"))).isNull();
    assertThat(others.ruling(job("4711"))).isNull();
    assertThat(others.before()).isEqualTo("default");
    assertThat(others.count()).isEqualTo(1);
  }

  @Test
  void oneForAllJobsStandsForAnotherDefault() {
    OthersRules others =
        new OthersRules(
            RuleTable.parse(
                """
                regular_requests:
                CPT 0:
                vip {x} 9, ref 0
                all {*} 800, ref 3
                default {*} 10000, ref 0
                """),
            _ -> false);

    assertThat(others.ruling(job("y"))).isNull();
    assertThat(others.ruling(job("x"))).isEqualTo("vip");
    assertThat(others.before()).isEqualTo("all");
  }

  @Test
  void theFirstRuleThatMatchesCounts() {
    RuleMatcher matcher =
        new RuleMatcher(
            RuleTable.parse(
                    """
                    regular_requests:
                    CPT 0:
                    late {ab*} 1, ref 0
                    exact {abc} 2, ref 0
                    all {*} 3, ref 0
                    default {*} 10000, ref 0
                    """)
                .rules());

    assertThat(Objects.requireNonNull(matcher.match(job("abc"))).name()).isEqualTo("late");
    assertThat(Objects.requireNonNull(matcher.match(job("x"))).name()).isEqualTo("all");
  }
}
