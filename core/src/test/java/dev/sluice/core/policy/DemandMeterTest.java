package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sluice.core.model.JobId;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemandMeterTest {
  private static final JobId JOB = JobId.of("job");

  private record Waiting(long tokens, int period) {}

  /** The theorem above {@link DemandMeter}, against requests that are counted one by one. */
  @Test
  void countsWhatCameAndWhatIsLeftOfWhatCameBefore() {
    SeededCases.forAll(
        5_000,
        random -> {
          DemandMeter meter = new DemandMeter();
          List<Waiting> waiting = new ArrayList<>();
          int period = 0;
          long arrived = 0;
          long done = 0;
          for (int step = 0; step < 100; step++) {
            int kind = random.nextInt(10);
            if (kind == 0) {
              meter.beginPeriod();
              period++;
              arrived = 0;
              done = 0;
            } else if (kind < 6) {
              long tokens = random.nextLong(1L << random.nextInt(30));
              meter.arrived(tokens);
              waiting.add(new Waiting(tokens, period));
              arrived += tokens;
            } else if (!waiting.isEmpty()) {
              Waiting served = waiting.remove(random.nextInt(waiting.size()));
              meter.dispatched(served.tokens, served.period == period);
              meter.served(served.tokens, step);
              done += served.tokens;
              if (random.nextInt(4) == 0) {
                meter.turnedOutDearer(served.tokens);
                arrived += served.tokens;
              }
            }
            int current = period;
            long queued = waiting.stream().mapToLong(Waiting::tokens).sum();
            long backlog =
                waiting.stream()
                    .filter(request -> request.period < current)
                    .mapToLong(Waiting::tokens)
                    .sum();
            JobDemand demand = meter.demand(JOB, 3, step);
            assertThat(demand.withService(JobService.NONE))
                .isEqualTo(new JobDemand(JOB, 3, arrived, backlog));
            assertThat(demand.service().servedTokens()).isEqualTo(done);
            assertThat(demand.service().oldestWaitNanos()).isEqualTo(step);
            assertThat(meter.queuedTokens()).isEqualTo(queued);
            assertThat(meter.isIdle()).isEqualTo(queued == 0 && arrived == 0);
            meter.checkInvariants();
          }
        });
  }

  /** The theorem above {@link DemandMeter#look}; periods begin whenever they like. */
  @Test
  void aLookTellsWhatCameSinceTheLastOneWhateverPeriodItIs() {
    SeededCases.forAll(
        2_000,
        random -> {
          DemandMeter meter = new DemandMeter();
          ArrayDeque<Waiting> waiting = new ArrayDeque<>();
          int look = 0;
          long arrived = 0;
          for (int step = 0; step < 100; step++) {
            switch (random.nextInt(8)) {
              case 0 -> meter.beginPeriod();
              case 1 -> {
                int current = look;
                long backlog =
                    waiting.stream()
                        .filter(request -> request.period < current)
                        .mapToLong(Waiting::tokens)
                        .sum();
                assertThat(meter.look(JOB, 3)).isEqualTo(new JobDemand(JOB, 3, arrived, backlog));
                arrived = 0;
                look++;
              }
              case 2, 3, 4 -> {
                long tokens = random.nextLong(1L << random.nextInt(30));
                meter.arrived(tokens);
                waiting.add(new Waiting(tokens, look));
                arrived += tokens;
              }
              default -> {
                Waiting served = waiting.poll();
                if (served != null) {
                  meter.dispatched(served.tokens, random.nextBoolean());
                  if (random.nextInt(4) == 0) {
                    meter.turnedOutDearer(served.tokens);
                    arrived += served.tokens;
                  }
                }
              }
            }
          }
        });
  }

  @Test
  void withinWhatTimeRequestsWereServedIsToldOfThePeriodAlone() {
    DemandMeter meter = new DemandMeter();
    assertThat(latencyNanos(meter)).isEqualTo(JobService.NOT_KNOWN);
    meter.served(1, 1_000_000);
    assertThat(latencyNanos(meter)).isBetween(1_000_000L, 1_250_000L);
    meter.beginPeriod();
    assertThat(latencyNanos(meter)).isEqualTo(JobService.NOT_KNOWN);
  }

  private static long latencyNanos(DemandMeter meter) {
    return meter.demand(JOB, 1, 0).service().latencyNanos();
  }

  @Test
  void moreThanADecisionCanCountIsReportedAsTheMost() {
    DemandMeter meter = new DemandMeter();
    meter.arrived(JobDemand.TOKENS_MAX);
    meter.arrived(1);
    assertThat(meter.demand(JOB, 1, 0).arrivedTokens()).isEqualTo(JobDemand.TOKENS_MAX);
    meter.beginPeriod();
    assertThat(meter.demand(JOB, 1, 0).arrivedTokens()).isZero();
    assertThat(meter.demand(JOB, 1, 0).backlogTokens()).isEqualTo(JobDemand.TOKENS_MAX);
  }

  @Test
  void aRequestThatNeverCameIsSeenInTheBooks() {
    DemandMeter meter = new DemandMeter();
    meter.arrived(5);
    meter.dispatched(5, false);
    assertThatIllegalStateException().isThrownBy(meter::checkInvariants);
  }

  @Test
  void theLargestRequestIsKnownUntilAnotherPeriodHasAny() {
    DemandMeter meter = new DemandMeter();
    meter.arrived(100);
    meter.beginPeriod();
    meter.beginPeriod();
    assertThat(meter.demand(JOB, 1, 0).service().largestTokens()).isEqualTo(100);
    meter.arrived(7);
    assertThat(meter.demand(JOB, 1, 0).service().largestTokens()).isEqualTo(100);
    meter.beginPeriod();
    assertThat(meter.demand(JOB, 1, 0).service().largestTokens()).isEqualTo(7);
  }
}
