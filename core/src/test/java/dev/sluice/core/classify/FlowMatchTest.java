package dev.sluice.core.classify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowMatchTest {
  private static final Flow ALICE =
      new Flow(
          JobId.of("4711"),
          "alice",
          "physics",
          ClientAddress.parse("10.2.3.4"),
          "/home/alice",
          "ost0001");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "job=4711",
        "job=1,4711,2",
        "job=47*",
        "job!=4712",
        "user=alice",
        "user=\"alice\"",
        "user!=bob,carol",
        "group=phys*,chem*",
        "client=10.2.3.4",
        "client=10.9.0.0/16,10.2.0.0/16",
        "client!=10.3.0.0/16",
        "client=0.0.0.0/0",
        "client=::/0",
        "export=/home*",
        "export=*/a*e",
        "export=*",
        "target=ost*1",
        "operation=read",
        "operation=write,read",
        "operation!=open",
        "class=data",
        "class!=metadata,directory,extended-attribute",
        "  job=4711\tuser=alice  group=physics client=10.2.3.4 export=/home/alice target=ost0001"
            + " operation=read class=data ",
      })
  void matchesWhatFits(String text) {
    assertThat(FlowMatch.parse(text).matches(ALICE, Operation.READ)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "job=471",
        "job=4711*1",
        "job!=47*",
        "user=Alice",
        "user=\"al*\"",
        "user!=bob,alice",
        "group=\"\"",
        "client=10.2.3.5",
        "client=10.3.0.0/16",
        "client!=10.2.0.0/16",
        "export=/home",
        "export=*bob*",
        "target=ost",
        "operation=write,open",
        "operation!=read",
        "class=metadata",
        "class!=data",
        "user=alice class=metadata",
        "user=bob class=data",
      })
  void doesNotMatchWhatDoesNotFit(String text) {
    assertThat(FlowMatch.parse(text).matches(ALICE, Operation.READ)).isFalse();
  }

  @Test
  void quotedValuesMeanExactlyWhatTheySay() {
    for (String user :
        new String[] {"a b", "a,b", "#1", "a->b", "*", "k=v", "say \"hi\"", "A\\ b"}) {
      String quoted = '"' + user.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
      Flow flow = new Flow(JobId.of("1"), user, "", ClientAddress.LOCAL, "", "");

      FlowMatch match = FlowMatch.parse("user=" + quoted);

      assertThat(match.matches(flow, Operation.READ)).as(user).isTrue();
      assertThat(match.matches(ALICE, Operation.READ)).as(user).isFalse();
      assertThat(match).hasToString("user=" + quoted);
    }
  }

  @Test
  void theTextParsesToAnEqualMatchAndEqualMatchesHaveTheSameText() {
    SeededCases.forAll(
        EnduranceScale.of(4_000, 20_000),
        random -> {
          String text = new RandomMatches(random).conditions(Key.values().length);
          FlowMatch match = FlowMatch.parse(text);

          FlowMatch again = FlowMatch.parse(match.toString());

          assertThat(again).as(text).isEqualTo(match).hasSameHashCodeAs(match);
          assertThat(again).as(text).hasToString(match.toString());
        });
  }

  // A condition holds when one of its values does, which one value alone shows; a negated condition
  // is the opposite of the plain one; and conditions hold together when each holds alone.
  @Test
  void aMatchIsTheConjunctionOfItsConditionsAndAConditionTheDisjunctionOfItsValues() {
    int cases = EnduranceScale.of(4_000, 20_000);
    int[] held = {0};
    SeededCases.forAll(
        cases,
        random -> {
          RandomMatches matches = new RandomMatches(random);
          Flow flow = matches.flow();
          Operation operation = matches.operation();
          Key one = matches.oneOf(Arrays.asList(Key.values()));
          Key other = matches.oneOf(Arrays.stream(Key.values()).filter(key -> key != one).toList());
          String first = matches.condition(one).replaceFirst("!=", "=");
          String second = matches.condition(one).replaceFirst("!=", "=");
          String third = matches.condition(other);

          boolean firstHolds = FlowMatch.parse(first).matches(flow, operation);
          boolean secondHolds = FlowMatch.parse(second).matches(flow, operation);
          boolean thirdHolds = FlowMatch.parse(third).matches(flow, operation);
          String either = first + "," + second.substring(second.indexOf('=') + 1);
          String neither = either.replaceFirst("=", "!=");

          assertThat(FlowMatch.parse(either).matches(flow, operation))
              .as("%s on %s", either, flow)
              .isEqualTo(firstHolds || secondHolds);
          assertThat(FlowMatch.parse(neither).matches(flow, operation))
              .as("%s on %s", neither, flow)
              .isEqualTo(!firstHolds && !secondHolds);
          assertThat(FlowMatch.parse(first + " " + third).matches(flow, operation))
              .as("%s and %s on %s", first, third, flow)
              .isEqualTo(firstHolds && thirdHolds);
          held[0] += firstHolds && thirdHolds ? 1 : 0;
        });
    assertThat(held[0]).as("cases in which both held").isGreaterThan(cases / 20);
  }

  @Test
  void equalityDoesNotDependOnOrderQuotesOrDoubles() {
    assertThat(FlowMatch.parse("user=b,a,\"b\" export=/x**y job=1"))
        .isEqualTo(FlowMatch.parse("job=\"1\" export=/x*y user=a,b"))
        .isNotEqualTo(FlowMatch.parse("job=1 export=/x*y user!=a,b"))
        .isNotEqualTo(FlowMatch.parse("job=1 export=\"/x*y\" user=a,b"))
        .isNotEqualTo(FlowMatch.parse("job=1 export=/x*y"))
        .hasToString("job=1 user=a,b export=/x*y");
  }

  @Test
  void theJobsAreKnownOnlyWhenEachIsNamed() {
    assertThat(FlowMatch.parse("job=1,\"a*\",1 user=bob").exactJobs())
        .containsExactlyInAnyOrder(JobId.of("1"), JobId.of("a*"));
    assertThat(FlowMatch.parse("job!=1").exactJobs()).isEmpty();
    assertThat(FlowMatch.parse("job=1,a*").exactJobs()).isEmpty();
    assertThat(FlowMatch.parse("user=1").exactJobs()).isEmpty();
    assertThat(FlowMatch.ANY.exactJobs()).isEmpty();
  }

  @Test
  void itSaysWhatItsConditionsAreAbout() {
    assertThat(FlowMatch.parse("job=1 user!=bob class=data").keys())
        .containsExactlyInAnyOrder("job", "user", "class");
    assertThat(FlowMatch.ANY.keys()).isEmpty();
  }

  @Test
  void ofJobMatchesThatJobAlone() {
    FlowMatch match = FlowMatch.ofJob(JobId.of("night run, \"big\""));

    assertThat(match.matches(Flow.of(JobId.of("night run, \"big\""), "t"), Operation.READ))
        .isTrue();
    assertThat(match.matches(Flow.of(JobId.of("night run"), "t"), Operation.READ)).isFalse();
    assertThat(match).isEqualTo(FlowMatch.parse("job=\"night run, \\\"big\\\"\""));
    assertThat(match.exactJobs()).containsExactly(JobId.of("night run, \"big\""));
  }

  @Test
  void noConditionsMatchEverything() {
    assertThat(FlowMatch.parse(" \t")).isEqualTo(FlowMatch.ANY);
    assertThat(FlowMatch.ANY).hasToString("");
    assertThat(FlowMatch.ANY.matches(ALICE, Operation.RENAME)).isTrue();
  }
}
