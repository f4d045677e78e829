package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Shares;
import dev.sluice.testkit.SeededCases;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PolicyControlTest {
  private static final List<String> TARGETS = List.of("ost0", "ost1", "ost2");
  private static final Cluster CLUSTER =
      new Cluster(
          TARGETS.stream().map(name -> new Target(name, 100, TokenUnit.OPERATIONS)).toList());
  private static final Observation NOTHING_SEEN =
      new Observation(1, 1, CLUSTER, Map.of(), List.of());

  /** What one job has on one target: all that a scheduler is told. */
  private record Cell(String target, JobId job, long tokens, long periodNanos, long weight) {}

  /** Decides what it is told to, and remembers how often it did. */
  private static final class Puppet implements Policy<Integer> {
    Allocation next = Allocation.NONE;
    boolean fails;
    int remembered;

    @Override
    public Integer initialState(Cluster cluster) {
      assertThat(cluster).isEqualTo(CLUSTER);
      return 0;
    }

    @Override
    public Step<Integer> decide(Integer state, Observation seen) {
      if (fails) {
        throw new IllegalStateException("cannot decide");
      }
      remembered = state;
      return new Step<>(state + 1, next, new Words("decision " + state));
    }
  }

  private record Words(String summary) implements Explanation {
    @Override
    public List<Reason> reasons() {
      return List.of();
    }
  }

  /** A change is a job on a target that has something else than before, or nothing any more. */
  @Test
  void countsEveryRateAndWeightThatChanges() {
    SeededCases.forAll(
        2_000,
        random -> {
          Puppet puppet = new Puppet();
          PolicyControl<Integer> control = PolicyControl.of(puppet, CLUSTER);
          Map<List<Object>, Cell> before = new HashMap<>();
          long changes = 0;
          for (int decision = 1; decision <= 20; decision++) {
            puppet.next = randomAllocation(random);
            control.decide(NOTHING_SEEN);

            Map<List<Object>, Cell> after = cells(puppet.next);
            Set<List<Object>> places = new HashSet<>(before.keySet());
            places.addAll(after.keySet());
            for (List<Object> place : places) {
              Cell cell = after.get(place);
              changes += cell != null && cell.equals(before.get(place)) ? 0 : 1;
            }
            before = after;
            assertThat(control.changes()).isEqualTo(changes);
            assertThat(control.decisions()).isEqualTo(decision);
            for (String target : TARGETS) {
              assertThat(control.shares(target)).isSameAs(puppet.next.on(target));
            }
          }
        });
  }

  @Test
  void remembersWhatThePolicyWantsAndAnswersWhy() {
    Puppet puppet = new Puppet();
    PolicyControl<Integer> control = PolicyControl.of(puppet, CLUSTER);
    assertThat(control.shares("ost0")).isSameAs(Shares.NONE);
    for (int i = 0; i < 3; i++) {
      assertThat(control.decide(NOTHING_SEEN).summary()).isEqualTo("decision " + i);
      assertThat(puppet.remembered).isEqualTo(i);
    }
  }

  @Test
  void aPolicyThatThrowsHasChangedNothing() {
    Puppet puppet = new Puppet();
    PolicyControl<Integer> control = PolicyControl.of(puppet, CLUSTER);
    puppet.next = new Allocation(Map.of("ost1", shares(Map.of("a", 5L), 7)));
    control.decide(NOTHING_SEEN);
    Shares decided = control.shares("ost1");
    puppet.next = new Allocation(Map.of("ost0", shares(Map.of("a", 6L), 7)));
    puppet.fails = true;

    assertThatThrownBy(() -> control.decide(NOTHING_SEEN)).hasMessage("cannot decide");

    assertThat(control.shares("ost1")).isSameAs(decided);
    assertThat(control.shares("ost0")).isSameAs(Shares.NONE);
    assertThat(control.decisions()).isEqualTo(1);
    assertThat(control.changes()).isEqualTo(1);
    puppet.fails = false;
    control.decide(NOTHING_SEEN);
    assertThat(puppet.remembered).as("state of the decision after").isEqualTo(1);
    assertThat(control.changes()).as("one set, one taken away").isEqualTo(3);
  }

  private static Allocation randomAllocation(RandomGenerator random) {
    Map<String, Shares> targets = new HashMap<>();
    for (String target : TARGETS) {
      if (random.nextInt(4) > 0) {
        Map<String, Long> tokens = new HashMap<>();
        for (int job = random.nextInt(4); job < 6; job += 1 + random.nextInt(2)) {
          tokens.put("job" + job, random.nextLong(3));
        }
        targets.put(target, shares(tokens, 1 + random.nextInt(2)));
      }
    }
    return new Allocation(targets);
  }

  private static Shares shares(Map<String, Long> tokensByJob, long periodNanos) {
    TreeMap<JobId, Long> sorted = new TreeMap<>();
    tokensByJob.forEach((job, tokens) -> sorted.put(JobId.of(job), tokens));
    long[] tokens = sorted.values().stream().mapToLong(Long::longValue).toArray();
    long[] weights = sorted.values().stream().mapToLong(token -> 1 + token / 2).toArray();
    return Shares.ofColumns(sorted.keySet().toArray(JobId[]::new), tokens, weights, periodNanos);
  }

  private static Map<List<Object>, Cell> cells(Allocation allocation) {
    Map<List<Object>, Cell> cells = new HashMap<>();
    allocation
        .targets()
        .forEach((target, shares) -> {
          for (int i = 0; i < shares.size(); i++) {
            JobId job = shares.job(i);
            cells.put(
                List.of(target, job),
                new Cell(
                    target, job, shares.limitParts(i), shares.periodNanos(), shares.weight(i)));
          }
        });
    return cells;
  }

  /** A memory that fails when told to. */
  private static final class Moody implements Memory<Integer> {
    private final Memory<Integer> kept = Memory.inProcess(7);
    boolean cannotBeRead;
    boolean cannotBeWritten;

    @Override
    public Integer current(Cluster about) {
      if (cannotBeRead) {
        throw new MemoryException("books.db: gone", null);
      }
      return kept.current(about);
    }

    @Override
    public void keep(Integer before, Integer next) {
      if (cannotBeWritten) {
        throw new MemoryException("books.db: full", null);
      }
      kept.keep(before, next);
    }
  }

  @Test
  void goesOnFromWhatAMemoryHasAndDecidesByAnotherPolicyWhileItFails() {
    Puppet remembering = new Puppet();
    remembering.next = allocation("a", 10);
    Puppet forgetful = new Puppet();
    forgetful.next = allocation("a", 1);
    Moody memory = new Moody();
    PolicyControl<Integer> control =
        PolicyControl.remembering(remembering, memory, forgetful, CLUSTER);
    assertThat(control.decide(NOTHING_SEEN).summary()).isEqualTo("decision 7");
    assertThat(control.memoryProblem()).isNull();
    assertThat(control.shares("ost0").tokens(0)).isEqualTo(10);

    memory.cannotBeWritten = true;
    assertThat(control.decide(NOTHING_SEEN).summary())
        .startsWith("books.db: full; so nothing is owed or redeemed")
        .endsWith("decision 0");
    assertThat(control.shares("ost0").tokens(0)).isEqualTo(1);
    assertThat(control.memoryProblem()).isEqualTo("books.db: full");
    memory.cannotBeRead = true;
    assertThat(control.decide(NOTHING_SEEN).summary()).startsWith("books.db: gone");

    memory.cannotBeRead = false;
    memory.cannotBeWritten = false;
    assertThat(control.decide(NOTHING_SEEN).summary())
        .as("nothing of what could not be kept is remembered")
        .isEqualTo("decision 8");
    assertThat(control.memoryProblem()).isNull();
    assertThat(control.shares("ost0").tokens(0)).isEqualTo(10);
    assertThat(control.decisions()).isEqualTo(4);
  }

  @Test
  void whereNobodyStandsInAMemoryThatFailsIsTold() {
    Moody memory = new Moody();
    PolicyControl<Integer> control = PolicyControl.remembering(new Puppet(), memory, CLUSTER);
    assertThat(control.decide(NOTHING_SEEN).summary()).isEqualTo("decision 7");
    memory.cannotBeWritten = true;
    assertThatThrownBy(() -> control.decide(NOTHING_SEEN)).hasMessage("books.db: full");
    assertThat(control.decisions()).isEqualTo(1);
    assertThat(control.remembered()).isEqualTo(8);
  }

  private static Allocation allocation(String job, long tokens) {
    return new Allocation(
        Map.of(
            "ost0",
            Shares.ofColumns(new JobId[] {JobId.of(job)}, new long[] {tokens}, new long[] {1}, 1)));
  }
}
