package dev.sluice.core.schedule.terms;

import dev.sluice.core.model.Target;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.testkit.SeededCases;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What reserves and limits promise under every order that honours them. */
public abstract class TermsContract {
  protected abstract RequestScheduler newScheduler(Target target, ShareTree tree);

  protected final TermedTarget target(
      RandomGenerator random, double reserved, boolean limited, ShareTree tree) {
    return new TermedTarget(random, reserved, limited, target -> newScheduler(target, tree));
  }

  @Test
  void withABacklogEveryJobHasItsReserveAndNoMoreThanItsLimitOverAnyWindow() {
    SeededCases.forAll(
        150,
        random -> {
          ShareTree tree = random.nextBoolean() ? ShareTree.flat() : ShareTree.byUser();
          TermedTarget target = target(random, random.nextDouble(), random.nextBoolean(), tree);
          for (int step = 0; step < 2_000; step++) {
            target.fill();
            target.serve();
          }
          target.scheduler.checkInvariants(target.nanos());
        });
  }

  /** Jobs come and go; while one has something queued its reserve holds. */
  @Test
  void whoComesBackHasItsReserveAtOnce() {
    SeededCases.forAll(
        150,
        random -> {
          ShareTree tree = random.nextBoolean() ? ShareTree.flat() : ShareTree.byUser();
          TermedTarget target = target(random, random.nextDouble(), random.nextBoolean(), tree);
          for (int step = 0; step < 2_000; step++) {
            if (random.nextInt(3) == 0) {
              int job = random.nextInt(target.jobs);
              int count = random.nextInt(1, 6);
              for (int i = 0; i < count; i++) {
                target.enqueue(job);
              }
            }
            if (!target.serve()) {
              target.now +=
                  random.nextDouble()
                      * TermedTarget.SECOND
                      * TermedTarget.LARGEST
                      / target.capacity;
            }
            target.scheduler.checkInvariants(target.nanos());
          }
        });
  }
}
