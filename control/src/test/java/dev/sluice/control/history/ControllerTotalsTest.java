package dev.sluice.control.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.control.controller.ControllerStatus;
import dev.sluice.control.controller.ControllerStatus.Gateways;
import dev.sluice.control.controller.ControllerStatus.JobRate;
import dev.sluice.control.controller.ControllerStatus.JobState;
import dev.sluice.control.controller.ControllerStatus.ResourceState;
import dev.sluice.control.controller.ControllerStatus.TargetJob;
import dev.sluice.control.controller.ControllerStatus.TargetState;
import dev.sluice.control.gateways.TargetPlane;
import dev.sluice.control.gateways.TargetSeen.JobSeen;
import dev.sluice.control.leader.Standing;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.history.model.Sample;
import dev.sluice.history.sample.Sampler;
import dev.sluice.testkit.SeededCases;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ControllerTotalsTest {
  private static final LimitKey METADATA = new LimitKey("metadata", Counted.OPERATIONS);

  private static ControllerStatus status(long metadataPerSecond, double diskBytesPerSecond) {
    return new ControllerStatus(
        new Standing.Leads(1),
        1,
        null,
        List.of(),
        List.of(new ResourceState(METADATA, "psfa", 100_000, metadataPerSecond)),
        List.of(
            new JobState(
                "4711",
                "anna",
                2,
                8,
                List.of(new JobRate(METADATA, metadataPerSecond, 50_000, -1)))),
        new Gateways(
            new TargetPlane.State("gift", List.of("g1"), 1, 1, "", ""),
            null,
            List.of(
                new TargetState(
                    new Target("g1/disk", 1_000_000_000, TokenUnit.BYTES),
                    3,
                    1,
                    List.of(
                        new TargetJob(
                            new JobSeen("4712", "bob", diskBytesPerSecond, 0, 10, 20, 3),
                            4,
                            Double.POSITIVE_INFINITY))))));
  }

  /** Whatever the rates and however irregular the looks: the samples are the area below them. */
  @Test
  void samplesAddUpToRateTimesTime() {
    SeededCases.forAll(
        200,
        random -> {
          ControllerTotals totals = new ControllerTotals();
          Sampler sampler = new Sampler();
          long nowNanos = random.nextLong(1_000_000_000_000L);
          double operations = 0;
          double bytes = 0;
          long counted = 0;
          long moved = 0;
          assertThat(sampler.look(totals.look(status(1, 1), nowNanos, 0))).isNull();
          int looks = random.nextInt(1, 30);
          for (int look = 0; look < looks; look++) {
            long spanNanos = random.nextLong(10_000_000L, 3_000_000_000L);
            nowNanos += spanNanos;
            long rate = random.nextLong(1, 90_000);
            double speed = random.nextDouble(1e9);
            operations += rate * (spanNanos / 1e9);
            bytes += speed * (spanNanos / 1e9);
            Sample sample =
                Objects.requireNonNull(
                    sampler.look(totals.look(status(rate, speed), nowNanos, look)));
            for (Sample.OfTarget target : sample.targets()) {
              for (Sample.OfJob job : target.jobs()) {
                counted += target.name().equals("metadata") ? job.operations() : 0;
                moved += target.name().equals("g1/disk") ? job.bytes() : 0;
              }
            }
          }
          assertThat((double) counted).isCloseTo(operations, within(2.0));
          assertThat((double) moved).isCloseTo(bytes, within(2 + 1e-9 * bytes));
        });
  }

  @Test
  void tellsWhatIsKnownOfEachTarget() {
    ControllerTotals totals = new ControllerTotals();
    Sampler sampler = new Sampler();
    assertThat(sampler.look(totals.look(status(95_000, 1e6), 0, 0))).isNull();
    Sample sample =
        Objects.requireNonNull(
            sampler.look(totals.look(status(95_000, 1e6), 1_000_000_000, 1_000)));
    assertThat(sample.policy()).isEqualTo("psfa, gift");
    assertThat(sample.targets())
        .extracting(Sample.OfTarget::name)
        .containsExactly("metadata", "g1/disk");
    Sample.OfTarget metadata = sample.targets().getFirst();
    assertThat(metadata.saturatedMillis()).as("95 % of what it can do").isEqualTo(1_000);
    assertThat(metadata.jobs().getFirst().allowedTokensPerSecond()).isEqualTo(50_000);
    Sample.OfJob waiting = sample.targets().getLast().jobs().getFirst();
    assertThat(waiting.user()).isEqualTo("bob");
    assertThat(waiting.heldBackMillis()).as("20 ms are noticeable").isEqualTo(1_000);
    assertThat(waiting.waitedMicros()).isEqualTo(200_000);
    assertThat(waiting.allowedTokensPerSecond()).isEqualTo(Sample.OfJob.UNLIMITED);
  }
}
