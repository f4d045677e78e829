package dev.sluice.control.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lies.OthersRates;
import dev.sluice.control.v1.JobDemand;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a gateway with a valid key can do to jobs on other gateways by lying in every field, keeping
 * silent and calling again: no more than an honest one with the same targets and jobs. And why no
 * more than that can be asked of most policies.
 */
class LyingGatewaysTest {
  private static PolicyChoice choice(String policy) {
    Map<String, String> settings = new LinkedHashMap<>(Map.of("period", "1 s"));
    if (policy.equals("sdqpro")) {
      settings.put("lines", "<job1, rate=500 kB/s>; <job2, rate=2 MB/s>");
    }
    return PolicyChoice.of(policy, settings);
  }

  private static List<String> policiesOverAllTargets() {
    return PolicyRegistry.standard().policies().stream()
        .map(PolicyFactory::info)
        .filter(info -> info.scope() == PolicyInfo.Scope.ALL_TARGETS)
        .map(PolicyInfo::name)
        .toList();
  }

  /**
   * Theorem. Whatever a gateway says, there is an honest one with the same targets and jobs of
   * which it would be true, and beside that nobody has more than beside the liar.
   */
  @ParameterizedTest
  @MethodSource("policiesOverAllTargets")
  void aLyingGatewayTakesNoMoreThanAnHonestOneOfWhichItWereTrue(String policy) {
    PolicyChoice choice = choice(policy);
    SeededCases.forAll(
        EnduranceScale.of(5, 1_000),
        random -> {
          Gate.Pauses pauses =
              random.nextBoolean() ? Gate.Pauses.NONE : new Gate.Pauses(7, 1 + random.nextInt(4));
          GatewayWorld world = GatewayWorld.any(choice, pauses, random);
          LyingGate liar =
              new LyingGate(
                  "x", GatewayWorld.anyDisks(random), GatewayWorld.anyJobs(random), random);
          OthersRates besideLiar = world.beside(liar);
          besideLiar.assertNobodyHasLessThan(world.beside(new TruthfulGate(liar)));
        });
  }

  /**
   * Theorem. Where a job's rate is the least of its parts of its targets, or those parts, and
   * nothing else, it has the least beside a gateway that is there and whose jobs all want something
   * everywhere: so no lie takes more than that.
   */
  @ParameterizedTest
  @ValueSource(strings = {"bsip", "pofs"})
  void underPoliciesThatFillNoGapsALiarTakesNoMoreThanAnHonestOneThatWantsAll(String policy) {
    PolicyChoice choice = choice(policy);
    SeededCases.forAll(
        EnduranceScale.of(5, 1_000),
        random -> {
          GatewayWorld world = GatewayWorld.any(choice, Gate.Pauses.NONE, random);
          List<String> disks = GatewayWorld.anyDisks(random);
          List<String> jobs = GatewayWorld.anyJobs(random);
          OthersRates beside = world.beside(new Gate("x", disks, jobs, Gate.Pauses.NONE));
          world.beside(new LyingGate("x", disks, jobs, random)).assertNobodyHasLessThan(beside);
        });
  }

  /** Has a disk, on which some of its jobs do nothing. */
  private static Gate resting(String name, List<String> jobs, List<String> resting) {
    return new Gate(name, List.of("d1"), jobs, Gate.Pauses.NONE) {
      @Override
      JobDemand.Builder demand(int disk, String job, int period) {
        return resting.contains(job) ? told(job, 0, 0, 0) : super.demand(disk, job, period);
      }
    };
  }

  /**
   * Why no more can be asked of the others: they give a job elsewhere what it does not want on one
   * gateway, and take that from its neighbours there. Nobody lies here. The second gateway has the
   * same disk and jobs each time; in the one case a job of it wants all it can have on that disk,
   * in the other it does nothing there, and a neighbour of it on the first gateway has less.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {"gift", "maxmin", "sdqpro", "sojourn-all", "tsa", "esa", "tmf", "rnd", "mbw"})
  void underTheOthersAnHonestGatewayWhoseJobsWantLessTakesMoreThanOneThatWantsAll(String policy) {
    double wantsAll = besideJobsThatRest(policy, List.of());
    double rests = besideJobsThatRest(policy, List.of("job2"));
    assertThat(rests).isPositive().isLessThan(0.9 * wantsAll);
  }

  /** What a job has beside one that is on another gateway, too, where some jobs do nothing. */
  private static double besideJobsThatRest(String policy, List<String> resting) {
    Gate other = resting("x", List.of("job2", "job3", "job4"), resting);
    Gate first = new Gate("g0", List.of("d1"), List.of("job1", "job2"), Gate.Pauses.NONE);
    return GatewayWorld.play(choice(policy), GatewayWorld.ALL_ON_ONE_NODE, List.of(first), other)
        .mean("g0 d1 job1");
  }

  /**
   * Theorem. Nor could another way of deciding keep everybody from falling by more than 1 % below
   * what he has beside an honest gateway that wants all, unless it left storage unused that
   * somebody waits for. Jobs 1 and 2 share a disk, and each is on a gateway of its own besides.
   * While its gateway wants all, the one is held back there, and what it leaves of the shared disk
   * is the other's, who has more than half. When neither wants anything on its own gateway, and
   * either gateway could be the one that lies, each is owed what it has while the other is held
   * back. That is more than the disk.
   */
  @ParameterizedTest
  @ValueSource(strings = {"gift", "maxmin", "sojourn-all", "tsa", "esa", "tmf", "rnd", "mbw"})
  void whatIsOwedBesideEitherOfTwoGatewaysIsMoreThanTheDisk(String policy) {
    double owedToJob1 = onTheSharedDisk(policy, "job1", List.of("job1"), List.of());
    double owedToJob2 = onTheSharedDisk(policy, "job2", List.of(), List.of("job2"));
    assertThat(0.99 * owedToJob1 + 0.99 * owedToJob2).isGreaterThan(1.2 * Gate.CAPACITY);
    List<String> both = List.of("job1", "job2");
    double job1 = onTheSharedDisk(policy, "job1", both, both);
    double job2 = onTheSharedDisk(policy, "job2", both, both);
    assertThat(job1 + job2).isBetween(0.9 * Gate.CAPACITY, 1.001 * Gate.CAPACITY);
  }

  private static double onTheSharedDisk(
      String policy, String job, List<String> restOnJob1s, List<String> restOnJob2s) {
    return GatewayWorld.play(
            choice(policy),
            GatewayWorld.ALL_ON_ONE_NODE,
            List.of(
                new Gate("shared", List.of("d1"), List.of("job1", "job2"), Gate.Pauses.NONE),
                resting("of-job1", List.of("job1", "job3", "job4"), restOnJob1s)),
            resting("of-job2", List.of("job2", "job5", "job6"), restOnJob2s))
        .mean("shared d1 " + job);
  }
}
