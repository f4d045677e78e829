package dev.sluice.sim.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.ScenarioReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shares by branches in both modes: each shows what the scheduler divides. */
class ShareTreeSimulationTest {
  private static Map<String, Double> partsByUser(String mode, String shares, String jobs) {
    Scenario scenario =
        ScenarioReader.parse(
            "scenario.yaml",
            """
            mode: %s
            end: 20 s
            targets: {ost0: {bandwidth: 100 MB/s}}
            shares: %s
            jobs:
            %s
            """
                .formatted(mode, shares, jobs.indent(2)),
            Path.of(""),
            1);
    RunResult result = Worlds.run(scenario, "fair");
    Map<String, Double> parts = new HashMap<>();
    double all = result.jobs().stream().mapToLong(JobResult::bytes).sum();
    result.jobs().forEach(job -> parts.merge(job.user(), job.bytes() / all, Double::sum));
    return parts;
  }

  private static void has(Map<String, Double> parts, String user, double part) {
    assertThat(parts.getOrDefault(user, 0.0))
        .as("%s of %s", user, parts)
        .isBetween(part - 0.01, part + 0.01);
  }

  private static final String MANY_AND_ONE =
      """
      many: {repeat: 99, user: alice, processes: {window: 4, sequential: {file: 100 GB}}}
      one: {user: bob, processes: {window: 16, sequential: {file: 100 GB}}}
      """;

  @ParameterizedTest
  @ValueSource(strings = {"requests", "fluid"})
  void aUserWithManyJobsHasTheShareOfAUser(String mode) {
    has(partsByUser(mode, "{by: [job]}", MANY_AND_ONE), "bob", 0.01);
    has(partsByUser(mode, "{by: [user, job]}", MANY_AND_ONE), "bob", 0.5);
    has(
        partsByUser(mode, "{by: [user, job], weights: {user: {bob: 3}}}", MANY_AND_ONE),
        "bob",
        0.75);
  }

  /** Physics has three parts of five, of which Carol wants one sixth: Alice has the rest. */
  @ParameterizedTest
  @ValueSource(strings = {"requests", "fluid"})
  void whatABranchDoesNotUseGoesToThoseBesideIt(String mode) {
    Map<String, Double> parts =
        partsByUser(
            mode,
            "{by: [account, user, job], weights: {account: {physics: 3}}}",
            """
            a: {repeat: 4, user: alice, account: physics, processes: {sequential: {file: 100 GB}}}
            b: {user: bob, account: teaching, processes: {window: 16, sequential: {file: 100 GB}}}
            c: {user: carol, account: physics, processes: {open-loop: {rate: 10 MB/s}}}
            d: {user: dan, processes: {window: 16, sequential: {file: 100 GB}}}
            """);
    has(parts, "carol", 0.1);
    has(parts, "alice", 0.5);
    has(parts, "bob", 0.2);
    has(parts, "dan", 0.2);
  }
}
