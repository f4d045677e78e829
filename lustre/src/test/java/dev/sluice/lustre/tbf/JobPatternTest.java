package dev.sluice.lustre.tbf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.standin.StandInServer;
import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class JobPatternTest {
  private static final LustreVersion V2_12 = LustreVersion.of(2, 12, 9);
  private static final LustreVersion V2_15 = LustreVersion.of(2, 15, 8);
  private static final LustreVersion V2_17 = LustreVersion.of(2, 17, 57);

  private static JobPattern of(String id, LustreVersion version) {
    return JobPattern.of(new LustreJobId(id), version);
  }

  @Test
  void writesWhatCanBeWritten() {
    assertThat(of("4711", V2_15)).isEqualTo(new JobPattern.Exact("4711"));
    assertThat(of("kworker/86:1.0", V2_15)).isEqualTo(new JobPattern.Exact("kworker/86:1.0"));
    assertThat(of("say\"hi\"", V2_15)).isEqualTo(new JobPattern.Exact("say\"hi\""));
    assertThat(of("a,b&c", V2_15)).isEqualTo(new JobPattern.Exact("a,b&c"));
    assertThat(of("back\\slash", V2_15)).isEqualTo(new JobPattern.Exact("back\\slash"));
    String longest = "1234567890123456789012345678901";
    assertThat(of(longest, V2_15)).isEqualTo(new JobPattern.Exact(longest));
  }

  @Test
  void putsAnAsteriskWhereItMust() {
    assertThat(of("a b", V2_15)).isEqualTo(new JobPattern.Wildcard("a*b"));
    assertThat(of("a   b", V2_15)).isEqualTo(new JobPattern.Wildcard("a*b"));
    assertThat(of("\u00fcber", V2_15)).isEqualTo(new JobPattern.Wildcard("*ber"));
    assertThat(of("a\u0001b", V2_15)).isEqualTo(new JobPattern.Wildcard("a*b"));
    assertThat(of("a,b", V2_17)).isEqualTo(new JobPattern.Wildcard("a*b"));
    assertThat(of("a&b", V2_17)).isEqualTo(new JobPattern.Wildcard("a*b"));
    assertThat(of("a{b}", V2_15)).isEqualTo(new JobPattern.Wildcard("a*b*"));
    assertThat(of("a*", V2_15)).isEqualTo(new JobPattern.Wildcard("a*"));
    // On an old server a question mark may stand for anything.
    assertThat(of("a?b", V2_12)).isEqualTo(new JobPattern.Wildcard("a*b"));
    assertThat(of("a?b", V2_15)).isEqualTo(new JobPattern.Exact("a?b"));
  }

  @Test
  void leavesAloneWhatNoRuleCanName() {
    assertThat(of("a b c d", V2_15)).isInstanceOf(JobPattern.Unwritable.class);
    assertThat(of("   ", V2_15)).isInstanceOf(JobPattern.Unwritable.class);
    assertThat(of("*", V2_15)).isInstanceOf(JobPattern.Unwritable.class);
    assertThat(of("x".repeat(32), V2_15)).isInstanceOf(JobPattern.Unwritable.class);
  }

  @Test
  void theServerTakesEveryPatternAndFindsItsOwnJobByIt() {
    SeededCases.forAll(
        20_000,
        random -> {
          LustreVersion version =
              switch (random.nextInt(3)) {
                case 0 -> V2_12;
                case 1 -> V2_15;
                default -> V2_17;
              };
          StringBuilder id = new StringBuilder();
          int length = random.nextInt(1, 32);
          String telling = "a  b*,&{}\"\\:=\u00e9\u0001?";
          for (int i = 0; i < length; i++) {
            id.append(
                random.nextInt(3) == 0
                    ? telling.charAt(random.nextInt(telling.length()))
                    : (char) ('a' + random.nextInt(3)));
          }
          LustreJobId job = new LustreJobId(id.toString());
          JobPattern pattern = JobPattern.of(job, version);
          if (pattern instanceof JobPattern.Unwritable unwritable) {
            assertThat(unwritable.reason()).isNotEmpty();
            return;
          }
          StandInServer<String> server = StandInServer.filtering(version, 1);
          assertThat(server.write(new RuleCommand.Start("sl_x", pattern, 5, "default").text()))
              .as(pattern.toString())
              .isZero();
          assertThat(server.ruleOf(job.bytes())).as(pattern.toString()).isEqualTo("sl_x");
          LustreJobId other = new LustreJobId("c" + id.substring(1) + "c");
          boolean matchesOther = server.ruleOf(other.bytes()).equals("sl_x");
          boolean may =
              pattern instanceof JobPattern.Wildcard wildcard
                  ? wildcard.mayMatch(other)
                  : other.bytes().equals(id.toString());
          assertThat(may || !matchesOther).as(pattern + " and " + other).isTrue();
        });
  }
}
