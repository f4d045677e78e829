package dev.sluice.core.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RuleIndexTest {
  private record Numbered(int number, FlowMatch match) {}

  @Test
  void agreesWithAScanOfTheWholeList() {
    int cases = EnduranceScale.of(2_000, 10_000);
    int[] matched = {0};
    int[] passedByName = {0};
    SeededCases.forAll(
        cases,
        random -> {
          RandomMatches matches = new RandomMatches(random);
          List<Numbered> rules = new ArrayList<>();
          for (int i = random.nextInt(30); i > 0; i--) {
            String text =
                random.nextInt(3) > 0
                    ? matches.condition(Key.JOB)
                        + (random.nextBoolean() ? " " + matches.condition(Key.CLASS) : "")
                    : matches.condition(Key.USER) + " " + matches.condition(Key.EXPORT);
            rules.add(new Numbered(rules.size(), FlowMatch.parse(text)));
          }
          RuleIndex<Numbered> index = RuleIndex.of(rules, Numbered::match);
          for (int i = 0; i < 5; i++) {
            Flow flow = matches.flow();
            Operation operation = matches.operation();

            Optional<Numbered> expected =
                rules.stream().filter(rule -> rule.match().matches(flow, operation)).findFirst();

            assertThat(Optional.ofNullable(index.first(flow, operation)))
                .as("%s %s by %s", flow, operation, rules)
                .isEqualTo(expected);
            matched[0] += expected.isPresent() ? 1 : 0;
            passedByName[0] += rules.size() - index.candidates(flow.job());
          }
        });
    assertThat(matched[0])
        .as("requests that some rule matches")
        .isBetween(cases / 2, 9 * cases / 2);
    assertThat(passedByName[0]).as("rules that were not tried").isGreaterThan(5 * cases);
  }

  @Test
  void rulesThatNameOtherJobsAreNotTried() {
    List<FlowMatch> rules = new ArrayList<>();
    IntStream.range(0, 10).forEach(i -> rules.add(FlowMatch.parse("user=user" + i)));
    IntStream.range(0, 100_000).forEach(i -> rules.add(FlowMatch.ofJob(JobId.of("job" + i))));
    rules.add(FlowMatch.parse("job=job7,job8 class=data"));

    RuleIndex<FlowMatch> index = RuleIndex.of(rules, match -> match);

    assertThat(index.candidates(JobId.of("job6"))).isEqualTo(11);
    assertThat(index.candidates(JobId.of("job7"))).isEqualTo(12);
    assertThat(index.candidates(JobId.of("nobody"))).isEqualTo(10);
    assertThat(index.first(Flow.of(JobId.of("job99999"), "t"), Operation.READ))
        .isEqualTo(FlowMatch.parse("job=job99999"));
  }

  @Test
  void noRulesMatchNothing() {
    RuleIndex<FlowMatch> index = RuleIndex.of(List.of(), match -> match);
    assertThat(index.first(Flow.of(JobId.of("a"), "t"), Operation.READ)).isNull();
  }

  @Test
  void theListIsBounded() {
    List<FlowMatch> tooMany = Collections.nCopies(RuleIndex.RULES_MAX + 1, FlowMatch.ANY);
    assertThatThrownBy(() -> RuleIndex.of(tooMany, match -> match))
        .hasMessage("expected at most 1048576 rules, not 1048577");
  }
}
