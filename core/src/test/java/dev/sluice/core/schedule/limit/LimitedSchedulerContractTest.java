package dev.sluice.core.schedule.limit;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.SchedulerContract;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.registry.Schedulers;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

/** The contract over every scheduler, without rules and with. */
class LimitedSchedulerContractTest {
  private static final Target TARGET = new Target("target", 10_000, TokenUnit.OPERATIONS);

  /** Some jobs by number, some by user, with one bucket or two; the rest is free. */
  private static final List<TbfRule> RULES =
      List.of(
          rule("one", "job=job1", limit(TokenUnit.OPERATIONS, 7, 2), null),
          rule(
              "both",
              "job=job2,job3",
              limit(TokenUnit.BYTES, 5_000_000, 1 << 20),
              limit(TokenUnit.OPERATIONS, 100, 3)),
          rule("user", "user=user1", limit(new TokenUnit(4_096, 1), 1_000_000, 4_096), null));

  private static TbfRule rule(
      String name, String match, TbfLimit limit, @Nullable TbfLimit second) {
    return new TbfRule(name, FlowMatch.parse(match), limit, second);
  }

  private static TbfLimit limit(TokenUnit unit, long tokensPerSecond, long depthTokens) {
    return new TbfLimit(unit, Rate.perSecond(tokensPerSecond), depthTokens);
  }

  abstract static class Contract extends SchedulerContract {
    private final SchedulerKind inner;
    private final List<TbfRule> rules;

    Contract(SchedulerKind inner, List<TbfRule> rules) {
      this.inner = inner;
      this.rules = rules;
    }

    @Override
    protected RequestScheduler newScheduler(long nowNanos) {
      LimitedScheduler scheduler = new LimitedScheduler(Schedulers.create(inner, TARGET), TARGET);
      scheduler.limit(rules, nowNanos);
      return scheduler;
    }

    @Override
    protected boolean namesExactInstants() {
      return rules.isEmpty() || inner == SchedulerKind.FIFO;
    }
  }

  @Nested
  class OverFifo extends Contract {
    OverFifo() {
      super(SchedulerKind.FIFO, List.of());
    }
  }

  @Nested
  class OverFifoWithRules extends Contract {
    OverFifoWithRules() {
      super(SchedulerKind.FIFO, RULES);
    }
  }

  @Nested
  class OverTbf extends Contract {
    OverTbf() {
      super(SchedulerKind.TBF, List.of());
    }
  }

  @Nested
  class OverTbfWithRules extends Contract {
    OverTbfWithRules() {
      super(SchedulerKind.TBF, RULES);
    }
  }

  @Nested
  class OverFair extends Contract {
    OverFair() {
      super(SchedulerKind.FAIR, List.of());
    }
  }

  @Nested
  class OverFairWithRules extends Contract {
    OverFairWithRules() {
      super(SchedulerKind.FAIR, RULES);
    }
  }
}
