package dev.sluice.core.policy.guarantee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.JobService;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GuaranteesTest {
  private static final Target DISK = new Target("disk", 100_000_000, TokenUnit.BYTES);
  private static final long SECOND = 1_000_000_000L;
  private static final Map<String, JobOwner> OWNERS =
      Map.of(
          "1", new JobOwner("physics", "alice", "staff"),
          "2", new JobOwner("physics", "alice", "staff"),
          "3", new JobOwner("physics", "bob", "staff"),
          "4", new JobOwner("", "carol", ""));

  private static JobOwner owner(JobId job) {
    return OWNERS.getOrDefault(job.toString(), JobOwner.UNKNOWN);
  }

  private static Guarantee user(String name, long bytes) {
    return new Guarantee(Guarantee.Who.USER, name, bytes, Counted.BYTES);
  }

  @Test
  void whatIsPromisedIsDividedByWhatIsWantedAndThenByWeight() {
    Guarantees given = new Guarantees(List.of(user("alice", 40_000_000)));
    List<JobDemand> seen =
        List.of(
            JobDemand.of("1", 1, 5_000_000),
            JobDemand.of("2", 3, 90_000_000),
            JobDemand.of("3", 1, 90_000_000));
    List<JobDemand> reserved = given.reserve(DISK, seen, GuaranteesTest::owner, SECOND);
    assertThat(reserved.get(0).reservedPerSecond()).isEqualTo(5_000_000);
    assertThat(reserved.get(1).reservedPerSecond()).isEqualTo(39_444_444);
    assertThat(reserved.get(2)).isEqualTo(seen.get(2));
  }

  @Test
  void theFirstThatNamesAJobCoversIt() {
    Guarantees given =
        new Guarantees(
            List.of(
                new Guarantee(Guarantee.Who.JOB, "3", 7, Counted.BYTES),
                new Guarantee(Guarantee.Who.ACCOUNT, "physics", 1_000_000, Counted.BYTES)));
    List<JobDemand> reserved =
        given.reserve(
            DISK,
            List.of(JobDemand.of("1", 1, 0), JobDemand.of("3", 1, 0), JobDemand.of("4", 1, 0)),
            GuaranteesTest::owner,
            SECOND);
    assertThat(reserved)
        .extracting(JobDemand::reservedPerSecond)
        .containsExactly(1_111_111L, 7L, -1L);
  }

  @Test
  void reservesComeToWhatWasPromisedAndNobodyLacksWhatAnotherDoesNotWant() {
    SeededCases.forAll(
        1_000,
        random -> {
          long promised = 1 + random.nextLong(90_000_000);
          int jobs = 1 + random.nextInt(8);
          List<JobDemand> seen = new ArrayList<>();
          long wantedSum = 0;
          for (int i = 0; i < jobs; i++) {
            long wanted = random.nextBoolean() ? 0 : random.nextLong(2 * promised);
            wantedSum += wanted;
            seen.add(JobDemand.of("x" + i, 1 + random.nextInt(9), wanted));
          }
          List<JobDemand> reserved =
              new Guarantees(List.of(user("x", promised)))
                  .reserve(DISK, seen, _ -> new JobOwner("", "x", ""), SECOND);
          double sum = 0;
          for (int i = 0; i < jobs; i++) {
            sum += reserved.get(i).reservedPerSecond();
            if (wantedSum <= promised) {
              assertThat(reserved.get(i).reservedPerSecond())
                  .isGreaterThanOrEqualTo(seen.get(i).wantedTokens() - 1);
            }
          }
          double withMargin = Math.min(90_000_000.0, promised / 0.9);
          assertThat(sum).isCloseTo(withMargin, within(1.0 + jobs)).isLessThanOrEqualTo(withMargin);
        });
  }

  @Test
  void whatRequestsOfAUsualSizeCostIsReserved() {
    Target both = new Target("disk", 100_000_000, new TokenUnit(1 << 16, 1));
    assertThat(user("x", 1_000_000).tokensPerSecond(both)).isEqualTo(1_250_000);
    Guarantee operations = new Guarantee(Guarantee.Who.USER, "x", 10, Counted.OPERATIONS);
    assertThat(operations.tokensPerSecond(both)).isEqualTo(655_360);
    assertThat(operations.tokensPerSecond(DISK)).isZero();
  }

  /** A job that wants more than it has, with requests of this worth. */
  private static JobDemand busy(String job, long largest) {
    return JobDemand.of(job, 1, 90_000_000)
        .withService(new JobService(0, 0, JobService.NOT_KNOWN, largest));
  }

  @Test
  void whatReservesLagBehindInASecondIsReservedOnTop() {
    Guarantees given = new Guarantees(List.of(user("alice", 40_000_000)));
    List<JobDemand> reserved =
        given.reserve(
            DISK, List.of(busy("1", 100_000), busy("3", 500_000)), GuaranteesTest::owner, SECOND);
    assertThat(reserved.get(0).reservedPerSecond())
        .isEqualTo(40_000_000 + 40_000_000 / 9 + 2 * 100_000 + 500_000);
    assertThat(reserved.get(1)).isEqualTo(busy("3", 500_000));
  }

  @Test
  void whoWantsNothingLagsBehindNothing() {
    Guarantees given = new Guarantees(List.of(user("alice", 40_000_000)));
    JobDemand idle =
        JobDemand.of("2", 1, 0).withService(new JobService(0, 0, JobService.NOT_KNOWN, 4_000_000));
    List<JobDemand> reserved =
        given.reserve(DISK, List.of(busy("1", 100_000), idle), GuaranteesTest::owner, SECOND);
    assertThat(reserved.get(0).reservedPerSecond() + reserved.get(1).reservedPerSecond())
        .isEqualTo(40_000_000 + 40_000_000 / 9 + 2 * 100_000 + 4_000_000);
  }

  @Test
  void nineTenthsOfATargetCanBePromised() {
    Target small = new Target("disk", 1_000_000, TokenUnit.BYTES);
    assertThat(new Guarantees(List.of(user("alice", 720_000))).refusal(small)).isNull();
    assertThat(new Guarantees(List.of(user("alice", 720_001))).refusal(small)).isNotNull();
  }

  @Test
  void aRateOfAFewRequestsIsNotBlownUp() {
    Guarantees given = new Guarantees(List.of(user("alice", 2_000_000)));
    assertThat(
            given
                .reserve(DISK, List.of(busy("1", 1 << 20)), GuaranteesTest::owner, SECOND)
                .getFirst()
                .reservedPerSecond())
        .isEqualTo(2_500_000);
  }

  @Test
  void marginsGiveWayWherePromisesLeaveNoRoom() {
    Guarantees given = new Guarantees(List.of(user("alice", 50_000_000), user("bob", 38_000_000)));
    List<JobDemand> reserved =
        given.reserve(
            DISK,
            List.of(busy("1", 4 << 20), busy("3", 4_096), busy("4", 1)),
            GuaranteesTest::owner,
            SECOND);
    long alice = reserved.get(0).reservedPerSecond();
    long bob = reserved.get(1).reservedPerSecond();
    assertThat(alice).isGreaterThan(50_000_000);
    assertThat(bob).isGreaterThan(38_000_000);
    assertThat(alice + bob).isBetween(89_999_990L, 90_000_000L);
  }

  @Test
  void whatDoesNotFitIsRefusedWithWhatIsLeft() {
    Guarantees fits = new Guarantees(List.of(user("alice", 50_000_000), user("bob", 29_000_000)));
    assertThat(fits.refusal(DISK)).isNull();
    Guarantees tooMuch =
        new Guarantees(List.of(user("alice", 50_000_000), user("bob", 41_000_000)));
    assertThat(tooMuch.refusal(DISK))
        .isEqualTo(
            "user bob's 41 MB/s do not fit target disk: of nine tenths of what it can do"
                + " 29.5 MB/s are left");
    Guarantees justFits =
        new Guarantees(List.of(user("alice", 50_000_000), user("bob", 29_500_000)));
    assertThat(justFits.refusal(DISK)).isNull();
  }

  /** What is named as left fits, and a little more does not. */
  @Test
  void whatIsLeftIsExact() {
    SeededCases.forAll(
        1_000,
        random -> {
          long first = 1 + random.nextLong(80_000_000);
          Guarantee alice = user("alice", first);
          double left = 90_000_000 - alice.admittedTokens(DISK);
          Guarantee any = user("bob", 1_000_000);
          long fitting = (long) any.fitting(DISK, left);
          if (fitting >= 1) {
            assertThat(new Guarantees(List.of(alice, user("bob", fitting))).refusal(DISK)).isNull();
          }
          // What is said has three digits, and is never more.
          long more = Math.max(0, fitting) + Math.max(2, fitting / 99);
          assertThat(new Guarantees(List.of(alice, user("bob", more))).refusal(DISK)).isNotNull();
        });
  }

  @Test
  void whereNothingWasPromisedNothingChanges() {
    List<JobDemand> seen = List.of(JobDemand.of("1", 1, 5));
    assertThat(Guarantees.NONE.isEmpty()).isTrue();
    assertThat(new Guarantees(List.of(user("alice", 1))).isEmpty()).isFalse();
    assertThat(Guarantees.NONE.reserve(DISK, seen, GuaranteesTest::owner, SECOND)).isEqualTo(seen);
  }

  @Test
  void whatCanBePromisedHasBounds() {
    assertThat(user("alice", 1).perSecond()).isEqualTo(1);
    assertThat(user("alice", Rate.TOKENS_PER_SECOND_MAX).perSecond())
        .isEqualTo(Rate.TOKENS_PER_SECOND_MAX);
    for (long bad : new long[] {0, -1, Rate.TOKENS_PER_SECOND_MAX + 1}) {
      assertThatThrownBy(() -> user("alice", bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected 1 to ");
    }
    assertThat(user("alice", 50_000_000).possessive()).isEqualTo("alice's guarantee of 50 MB/s");
  }
}
