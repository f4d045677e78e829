package dev.sluice.studies.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.papers.padll.LoadCurve;
import dev.sluice.papers.padll.Setup;
import dev.sluice.papers.padll.TestScenario;
import dev.sluice.stage.library.PreloadLibrary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A short version of what {@code ./sluice reproduce padll --live} does. */
@Timeout(120)
class LivePlayTest {
  /** Faster than the command: a minute of the paper in a tenth of a second. */
  private static final LivePace PACE = new LivePace(100_000_000, 50);

  private static final LoadCurve CURVE = LoadCurve.drawn(1);

  @TempDir Path place;

  @BeforeEach
  void requireTheLibrary() {
    Assumptions.assumeTrue(
        PreloadLibrary.find().isPresent(), "libsluice.so was not built: no C compiler");
  }

  private LivePlay.Result play(TestScenario scenario, Setup setup) throws IOException {
    return new LivePlay(scenario, setup, CURVE, PACE, place, () -> false, _ -> {}).play();
  }

  /** What one job saves up and holds is bounded by the stage, however busy the machine is. */
  @Test
  void realProgramsThatWantTwiceAsMuchNeverExceedTheMaximum() throws IOException {
    LivePlay.Result result = play(LiveOverload.scenario(), Setup.PSFA);
    assertThat(result.isComplete()).as("%s of %s", result.done(), result.told()).isTrue();
    assertThat(result.highest(5)).isBetween(0.5, 1.01);
    assertThat(result.minutes()).isGreaterThan(58);
  }

  @Test
  void equalLimitsKeepTheLargestJobLongerThanLendingDoes() throws IOException {
    TestScenario scenario = TestScenario.TABLE_I.get(1);
    LivePlay.Result uniform = play(scenario, Setup.UNIFORM);
    LivePlay.Result lending = play(scenario, Setup.PSFA);
    assertThat(uniform.isComplete() && lending.isComplete()).isTrue();
    assertThat(uniform.minutes()).isGreaterThan(lending.minutes() + 5);
    assertThat(uniform.highest(1)).isLessThan(1.05);
  }

  @Test
  void whoeverStopsItLeavesNoProgramBehind() {
    long before = shells();
    AtomicReference<Double> minutes = new AtomicReference<>(0.0);
    LivePlay play =
        new LivePlay(
            TestScenario.TABLE_I.getFirst(),
            Setup.PSFA,
            CURVE,
            PACE,
            place,
            () -> minutes.get() > 4,
            minutes::set);
    assertThatThrownBy(play::play).hasMessage("interrupted");
    assertThat(shells()).isEqualTo(before);
  }

  private static long shells() {
    return ProcessHandle.current().children().filter(ProcessHandle::isAlive).count();
  }
}
