package dev.sluice.core.schedule.fifo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.SchedulerContract;
import dev.sluice.core.schedule.Shares;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class FifoSchedulerTest extends SchedulerContract {
  @Override
  protected RequestScheduler newScheduler(long nowNanos) {
    return new FifoScheduler();
  }

  @Test
  void everyRequestHasItsPlaceInTheOrderOfArrival() {
    FifoScheduler scheduler = new FifoScheduler();
    for (int i = 0; i < 3; i++) {
      Request request = new Request(Flow.of(JobId.of("a"), "target"), Operation.WRITE, 1, 1);
      scheduler.enqueue(request, 0);
      assertThat(request.sequence()).isEqualTo(i);
    }
  }

  @Test
  void servesInTheOrderOfArrivalWhateverTheShares() {
    SeededCases.forAll(
        2_000,
        random -> {
          FifoScheduler scheduler = new FifoScheduler();
          Deque<Request> arrived = new ArrayDeque<>();
          JobId[] starved = {JobId.of("job0")};
          scheduler.reconfigure(
              Shares.ofColumns(starved, new long[] {0}, new long[] {1}, 1_000_000), 0);
          for (int step = 0; step < 100; step++) {
            if (random.nextBoolean()) {
              Flow flow = Flow.of(JobId.of("job" + random.nextInt(5)), "target");
              Request request =
                  new Request(flow, Operation.WRITE, 1, random.nextLong(Request.COST_MAX));
              arrived.add(request);
              scheduler.enqueue(request, step);
            } else if (arrived.isEmpty()) {
              assertThat(scheduler.next(step)).isEqualTo(Dispatch.EMPTY);
            } else {
              Request oldest = arrived.remove();
              assertThat(scheduler.next(step)).isSameAs(oldest);
              scheduler.complete(oldest, 1, random.nextLong(Request.COST_MAX), step);
            }
          }
        });
  }
}
