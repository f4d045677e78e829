package dev.sluice.load.play;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.Summary;
import dev.sluice.sim.scenario.JobSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobAccountTest {
  private final JobAccount account =
      new JobAccount(new JobSpec(JobId.of("a"), "u", 3, 5, 0, List.of()), 10);

  @Test
  void theBooksSayWhatHappenedWhen() {
    account.started(10);
    account.asked(10);
    account.asked(12);
    account.completed(10, 100, 20);
    account.completed(12, 200, 30);
    account.asked(50);
    account.completed(50, 300, 55);
    account.burstBegun(10);
    account.burstCompleted(10, 30);
    account.computes(20, 60);
    account.computes(15, 70);
    account.ended(100);
    account.close(100);
    JobResult result = account.result();
    assertThat(result.bytes()).isEqualTo(600);
    assertThat(result.operations()).isEqualTo(3);
    assertThat(result.ioNanos()).isEqualTo(25);
    assertThat(result.computeNanos()).isEqualTo(25);
    assertThat(result.startNanos()).isEqualTo(10);
    assertThat(result.endNanos()).isEqualTo(100);
    assertThat(result.latency().count()).isEqualTo(3);
    assertThat(result.latency().waiting()).isZero();
    assertThat(result.latency().maxNanos()).isEqualTo(18);
    assertThat(result.served().value(2)).isEqualTo(100);
    assertThat(result.served().value(3)).isEqualTo(200);
    assertThat(account.bursts().maxNanos()).isEqualTo(20);
  }

  @Test
  void whatIsStillOpenAtTheEndCountsUpToIt() {
    account.started(0);
    account.asked(10);
    account.computes(100, 20);
    account.close(50);
    assertThat(account.result().ioNanos()).isEqualTo(40);
    assertThat(account.result().computeNanos()).isEqualTo(30);
    account.completed(10, 100, 60);
    account.burstBegun(55);
    account.burstCompleted(10, 60);
    account.ended(60);
    assertThat(account.result().bytes()).isZero();
    assertThat(account.result().isDone()).isFalse();
    assertThat(account.bursts().count()).isZero();
  }

  /**
   * Of a server that stops answering, the requests that it answered are not all there is to say.
   */
  @Test
  void whatHasNoAnswerAtTheEndCountsWithItsAge() {
    account.started(0);
    account.asked(10);
    account.asked(10);
    account.burstBegun(10);
    account.completed(10, 100, 20);
    account.asked(1_011);
    account.close(1_010);
    account.completed(10, 100, 2_000);
    LatencySummary requests = account.result().latency();
    assertThat(requests.count()).isEqualTo(3);
    assertThat(requests.waiting()).isEqualTo(2);
    assertThat(requests.oldestWaitNanos()).isEqualTo(1_000);
    assertThat(requests.maxNanos()).isEqualTo(1_000);
    assertThat(account.bursts().count()).isEqualTo(1);
    assertThat(account.bursts().waiting()).isEqualTo(1);
    assertThat(account.bursts().maxNanos()).isEqualTo(1_000);
  }

  @Test
  void nobodyClaimsToKnowHowLongItWouldHaveTakenAlone() {
    account.started(0);
    account.asked(10);
    account.completed(10, 100, 60);
    account.ended(80);
    account.close(100);
    RunResult run =
        new RunResult("s", "none", 1, 100, 1, 0, 0, List.of(account.result()), List.of());
    Summary.Job job = Summary.of(run).jobs().getFirst();
    assertThat(job.stretch()).isEmpty();
    assertThat(job.ioSlowdown()).isEmpty();
    assertThat(job.bytesPerSecond()).hasValue(100 / 80e-9);
  }
}
