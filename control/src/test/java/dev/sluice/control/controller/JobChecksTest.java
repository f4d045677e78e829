package dev.sluice.control.controller;

import static dev.sluice.control.controller.TestPlane.MAXIMUM;
import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.access.Refusals;
import dev.sluice.control.aggregator.Aggregator;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.stage.JobCheck;
import dev.sluice.core.model.JobId;
import dev.sluice.jobs.ReloadingJobFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What members say of their jobs, and what the directory of jobs says, over real connections. */
@Timeout(180)
class JobChecksTest {
  @TempDir private Path directory;

  private Path jobs(String text) throws IOException {
    return Files.writeString(directory.resolve("jobs.yaml"), "jobs: {" + text + "}\n");
  }

  /** Has what is in the file now count. */
  private void follow(ReloadingJobFile followed, String text) throws IOException {
    jobs(text);
    followed.reload();
  }

  @Test
  void aJobCountsWhereItRunsAndNowhereElse() throws Exception {
    try (TestPlane plane = new TestPlane();
        ReloadingJobFile followed = new ReloadingJobFile(jobs("a: {node-names: n1}"))) {
      Controller controller = plane.controller(0, Leadership.alone(1));
      controller.checkJobs(new RunningJobs(followed));
      TestPlane.Node real = plane.node("n1", "a", controller.port());
      TestPlane.Node claims = plane.node("n2", "a", controller.port());
      assertOnlyRealCounts(controller, real, claims);
      assertThat(controller.refusals().words(System.nanoTime()))
          .contains("n2: job a does not run on n2");

      // When it does run there, it counts, and nobody has to call again.
      follow(followed, "a: {node-names: 'n[1-2]', user: nobody}");
      await("both have some", () -> real.allowed() < MAXIMUM && claims.allowed() > MAXIMUM / 20);
      await("all is well", () -> claims.role().status().trouble().isEmpty());

      follow(followed, "a: {user: alice}");
      await(
          "it is not theirs",
          () ->
              real.role()
                  .status()
                  .trouble()
                  .contains("job a is alice's, and n1 says that it is nobody's"));
      assertThat(controller.status().jobs()).isEmpty();

      // A directory that cannot know is no reason to stop anybody.
      follow(followed, "");
      await("it does not run", () -> claims.role().status().trouble().contains("does not run,"));
      follow(followed, "{");
      await("they are believed", () -> claims.role().status().trouble().isEmpty());
      await("they have all", () -> real.allowed() + claims.allowed() == MAXIMUM);
    }
  }

  private static void assertOnlyRealCounts(
      Controller controller, TestPlane.Node real, TestPlane.Node claims) throws Exception {
    await("the real one has all", () -> real.allowed() == MAXIMUM);
    await(
        "the other is told why",
        () ->
            claims
                .role()
                .status()
                .trouble()
                .equals("it does not count some of our jobs: job a does not run on n2"));
    // Half of a hundredth: what newcomers may, on two nodes.
    await("it may do what newcomers may", () -> claims.allowed() == MAXIMUM / 100 / 2);
    assertThat(real.allowed()).isEqualTo(MAXIMUM);
    assertThat(real.role().status().trouble()).isEmpty();
    assertThat(controller.status().jobs().getFirst().nodes()).isEqualTo(1);
    assertThat(controller.refusals().counts().get(Refusals.Kind.JOB)).isPositive();
  }

  @Test
  void aLiarBehindAnAggregatorHurtsNobodyBesideIt() throws Exception {
    try (TestPlane plane = new TestPlane();
        ReloadingJobFile followed = new ReloadingJobFile(jobs("a: {node-names: n1}"))) {
      Controller controller = plane.controller(0, Leadership.alone(1));
      controller.checkJobs(new RunningJobs(followed));
      Aggregator aggregator = plane.aggregator("rack", controller.port());
      TestPlane.Node claims = plane.node("n2", "a", aggregator.port());
      TestPlane.Node real = plane.node("n1", "a", aggregator.port());
      assertOnlyRealCounts(controller, real, claims);

      follow(followed, "a: {node-names: 'n[1-2]'}");
      await("both have some", () -> real.allowed() < MAXIMUM && claims.allowed() > MAXIMUM / 20);
      await("all is well", () -> claims.role().status().trouble().isEmpty());
    }
  }

  @Test
  void usersGoByNameOrNumber() throws IOException {
    ReloadingJobFile followed =
        new ReloadingJobFile(jobs("a: {user: alice, uid: 1001}, b: {user: bob}, c: {}"));
    RunningJobs running = new RunningJobs(followed);
    assertThat(running.look(JobId.of("a"), "alice", "n1")).isEqualTo(believed("alice"));
    assertThat(running.look(JobId.of("a"), "1001", "n1")).isEqualTo(believed("alice"));
    assertThat(running.look(JobId.of("a"), "", "n1")).isEqualTo(believed("alice"));
    assertThat(running.look(JobId.of("b"), "1002", "n1")).isEqualTo(believed("bob"));
    assertThat(running.look(JobId.of("c"), "carl", "n1")).isEqualTo(believed("carl"));
    assertThat(running.look(JobId.of("a"), "1002", "n1"))
        .isEqualTo(new JobCheck.Verdict.Refused("job a is alice's, and n1 says that it is 1002's"));
    assertThat(running.look(JobId.of("b"), "alice", "n1"))
        .isInstanceOf(JobCheck.Verdict.Refused.class);
  }

  private static JobCheck.Verdict believed(String user) {
    return new JobCheck.Verdict.Believed(user);
  }
}
