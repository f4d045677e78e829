package dev.sluice.bench;

import dev.sluice.core.linear.BuiltInSolver;
import dev.sluice.core.linear.PackingSolvers;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.lp.GlopSolver;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whole decisions over all targets, in time of the processor: reading what was seen, fair shares,
 * redemption, the linear program, coupons, and the allocation. Jobs are on 1 to 16 random targets:
 * on others at every decision, or one job in twenty on others.
 */
final class GiftBenchmark {
  private static final long PERIOD_NANOS = 10_000_000_000L;
  private static final PolicyRegistry POLICIES =
      PolicyRegistry.with(new PackingSolvers(List.of(new BuiltInSolver(), new GlopSolver())));
  private static final Pattern USED = Pattern.compile("([0-9.]+) % of which they use");
  private static final Pattern BOUND = Pattern.compile("the optimum is at most [^;]* higher");

  private GiftBenchmark() {}

  /** How many of the jobs are on other targets than at the decision before. */
  private static final double ALL = 1;

  private static final double FEW = 0.05;

  private record Size(int jobs, int targets, int decisions) {}

  private record Question(String policy, Map<String, String> settings) {
    String text() {
      return settings.isEmpty()
          ? policy
          : policy + " " + settings.toString().replaceAll("[{}]", "");
    }
  }

  static void run(boolean quick) {
    System.out.println(
        "| decision | jobs × targets | changed | median ms | slowest tenth ms | used | |");
    System.out.println("|---|---:|---:|---:|---:|---:|---|");
    List<Question> questions =
        List.of(
            new Question("bsip", Map.of()),
            new Question("maxmin", Map.of()),
            new Question("sojourn-all", Map.of()),
            new Question("mbw", Map.of()),
            new Question("gift", Map.of("tau", "0", "regret-budget", "1000000000")),
            new Question("gift", Map.of()),
            new Question("gift", Map.of("objective", "net")),
            new Question("gift", Map.of("solver", "glop")));
    for (Size size :
        List.of(
            new Size(60, 64, 200),
            new Size(250, 64, 200),
            new Size(200, 200, 200),
            new Size(1_000, 200, 60),
            new Size(10_000, 1_000, 15))) {
      Size measured = quick ? new Size(size.jobs(), size.targets(), 5) : size;
      for (Question question : questions) {
        measure(question, measured, ALL);
        if (question.policy().equals("gift")) {
          measure(question, measured, FEW);
        }
      }
    }
  }

  private static void measure(Question question, Size size, double changed) {
    PolicyFactory factory = POLICIES.policy(question.policy());
    measure(
        factory.create(new Settings(factory.info(), question.settings())), question, size, changed);
  }

  private static <S> void measure(Policy<S> policy, Question question, Size size, double changed) {
    SplittableRandom random = new SplittableRandom(1);
    Cluster cluster = cluster(size.targets());
    int[][] targets = new int[size.jobs()][0];
    move(random, ALL, size, targets);
    S state = policy.initialState(cluster);
    double[] milliseconds = new double[size.decisions()];
    double used = 0;
    String bound = "";
    // As many again before it counts, so that all is compiled.
    for (int i = -size.decisions(); i < size.decisions(); i++) {
      long nowNanos = (size.decisions() + i + 1) * PERIOD_NANOS;
      move(random, changed, size, targets);
      Observation seen = observation(cluster, targets, nowNanos);
      long before = processorNanos();
      Step<S> step = policy.decide(state, seen);
      long nanos = processorNanos() - before;
      state = step.next();
      if (i >= 0) {
        milliseconds[i] = nanos / 1e6;
        String summary = step.explanation().summary();
        Matcher matcher = USED.matcher(summary);
        used += matcher.find() ? Double.parseDouble(matcher.group(1)) : 0;
        Matcher bounded = BOUND.matcher(summary);
        bound = bounded.find() ? bounded.group() : bound;
      }
    }
    Arrays.sort(milliseconds);
    System.out.println(
        String.format(
            Locale.ROOT,
            "| %s | %,d × %,d | %.0f %% | %.2f | %.2f | %.1f %% | %s |",
            question.text(),
            size.jobs(),
            size.targets(),
            100 * changed,
            milliseconds[milliseconds.length / 2],
            milliseconds[milliseconds.length * 9 / 10],
            used / size.decisions(),
            bound));
  }

  private static Cluster cluster(int count) {
    List<Target> targets = new ArrayList<>();
    for (int j = 0; j < count; j++) {
      targets.add(new Target("ost" + j, 102_000_000, TokenUnit.BYTES));
    }
    return new Cluster(targets);
  }

  /** What a decision takes for each job on each of its targets; the median of some. */
  static double nanosPerEntry(String name, int jobs, int targets, int decisions) {
    PolicyFactory factory = POLICIES.policy(name);
    return nanosPerEntry(
        factory.create(new Settings(factory.info(), Map.of())), new Size(jobs, targets, decisions));
  }

  private static <S> double nanosPerEntry(Policy<S> policy, Size size) {
    SplittableRandom random = new SplittableRandom(1);
    Cluster cluster = cluster(size.targets());
    int[][] targets = new int[size.jobs()][0];
    S state = policy.initialState(cluster);
    // Small decisions are over before anything is compiled: there are more of them.
    int many = size.decisions() * Math.max(1, 1_000 / size.targets());
    double[] nanos = new double[many];
    for (int i = -many; i < many; i++) {
      move(random, ALL, size, targets);
      Observation seen = observation(cluster, targets, (many + i + 1) * PERIOD_NANOS);
      long before = processorNanos();
      Step<S> step = policy.decide(state, seen);
      long taken = processorNanos() - before;
      state = step.next();
      if (i >= 0) {
        nanos[i] = (double) taken / Arrays.stream(targets).mapToInt(on -> on.length).sum();
      }
    }
    Arrays.sort(nanos);
    return nanos[many / 2];
  }

  private static void move(SplittableRandom random, double part, Size size, int[][] targets) {
    for (int i = 0; i < targets.length; i++) {
      if (random.nextDouble() < part) {
        targets[i] =
            random
                .ints(0, size.targets())
                .distinct()
                .limit(random.nextInt(1, Math.min(16, size.targets()) + 1))
                .toArray();
      }
    }
  }

  private static Observation observation(Cluster cluster, int[][] targets, long nowNanos) {
    Map<String, List<JobDemand>> seen = new LinkedHashMap<>();
    List<List<JobDemand>> byTarget = new ArrayList<>();
    for (Target target : cluster.targets()) {
      List<JobDemand> demands = new ArrayList<>();
      byTarget.add(demands);
      seen.put(target.name(), demands);
    }
    for (int i = 0; i < targets.length; i++) {
      JobDemand demand = new JobDemand(JobId.of("job" + i), 1 + i % 64, 1 << 30, 0);
      for (int target : targets[i]) {
        byTarget.get(target).add(demand);
      }
    }
    return new Observation(nowNanos, PERIOD_NANOS, cluster, seen, List.of());
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
