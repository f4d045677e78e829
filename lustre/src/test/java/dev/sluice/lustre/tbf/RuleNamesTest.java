package dev.sluice.lustre.tbf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lustre.LustreJobId;
import dev.sluice.testkit.SeededCases;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RuleNamesTest {
  @Test
  void plainIdsCanBeReadAndOthersAreHashed() {
    RuleNames names = new RuleNames("sl_");

    assertThat(names.name(new LustreJobId("4711"), _ -> false)).isEqualTo("sl_4711");
    assertThat(names.name(new LustreJobId("dd.1000"), _ -> false)).matches("sl__[0-9a-z]{11}");
    assertThat(names.name(new LustreJobId("1234567890123"), _ -> false))
        .matches("sl__[0-9a-z]{11}");
  }

  @Test
  void noTwoJobsHaveTheSameNameAndNoneHasSomebodyElses() {
    SeededCases.forAll(
        200,
        random -> {
          RuleNames names = new RuleNames("s".repeat(1 + random.nextInt(7)));
          Set<String> foreign = new HashSet<>();
          Map<String, LustreJobId> given = new HashMap<>();
          for (int i = 0; i < 300; i++) {
            String id =
                random.nextInt(3) == 0
                    ? "" + random.nextInt(200)
                    : "a" + random.nextInt(200) + ".b c";
            LustreJobId job = new LustreJobId(id);
            if (names.known(job) == null && random.nextInt(5) == 0) {
              // Somebody has taken the very name that this job would get.
              foreign.add(new RuleNames("sl_").name(job, _ -> false));
            }
            String name = names.name(job, foreign::contains);
            assertThat(RuleName.isName(name)).isTrue();
            assertThat(foreign).doesNotContain(name);
            LustreJobId before = given.put(name, job);
            assertThat(before == null || before.equals(job)).isTrue();
            assertThat(names.job(name)).isEqualTo(job);
          }
        });
  }

  @Test
  void collidingHashesGetOtherNames() {
    RuleNames names = new RuleNames("sl_");
    LustreJobId job = new LustreJobId("a b");
    String first = new RuleNames("sl_").name(job, _ -> false);

    String other = names.name(job, first::equals);

    assertThat(other).isNotEqualTo(first).hasSize(15);
  }
}
