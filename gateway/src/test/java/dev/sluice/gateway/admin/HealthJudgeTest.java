package dev.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.admin.HealthFinding.Kind;
import dev.sluice.gateway.target.TargetVitals;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthJudgeTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PATIENCE = 30 * SECOND;
  private static final TargetVitals WELL = new TargetVitals("disk", 0, 0, 0, 100, false, 8, 8);

  private final HealthJudge judge = new HealthJudge(0);

  private static HealthSigns signs(TargetVitals target) {
    return new HealthSigns(List.of(target), 0, Map.of(), 0, 100, List.of());
  }

  private List<Kind> kinds(long nowNanos) {
    return judge.findings(PATIENCE, nowNanos).stream().map(HealthFinding::kind).toList();
  }

  @Test
  void aGatewayThatIsWellHasNoFindings() {
    assertThat(kinds(SECOND)).as("before the first look").isEmpty();
    judge.look(signs(WELL), SECOND);
    assertThat(kinds(SECOND)).isEmpty();
    judge.look(signs(new TargetVitals("disk", 500, 8, 29 * SECOND, 100, true, 8, 8)), 2 * SECOND);
    assertThat(kinds(2 * SECOND)).as("busy, and not for long").isEmpty();
  }

  @Test
  void aRequestThatTheStorageKeepsIsFound() {
    judge.look(signs(new TargetVitals("disk", 7, 3, 45 * SECOND, 100, true, 8, 8)), SECOND);
    List<HealthFinding> findings = judge.findings(PATIENCE, SECOND);
    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().kind()).isEqualTo(Kind.STUCK_TARGET);
    assertThat(findings.getFirst().about()).isEqualTo("disk");
    assertThat(findings.getFirst().words())
        .isEqualTo(
            "target disk: a request has been with the storage for 45 s; 3 are in service, 7 wait");
    assertThat(judge.findings(60 * SECOND, SECOND)).as("for who is more patient").isEmpty();
  }

  @Test
  void aQueueThatNobodyDrainsIsFoundOnceItHasLasted() {
    TargetVitals waits = new TargetVitals("disk", 7, 0, 0, 100, false, 8, 8);
    for (int i = 1; i <= 31; i++) {
      judge.look(signs(waits), i * SECOND);
      assertThat(kinds(i * SECOND)).isEqualTo(i < 31 ? List.of() : List.of(Kind.QUEUE_NOT_DRAINED));
    }
    judge.look(signs(new TargetVitals("disk", 7, 0, 0, 101, false, 8, 8)), 32 * SECOND);
    assertThat(kinds(32 * SECOND)).as("one has had its turn").isEmpty();
  }

  @Test
  void aQueueThatIsHeldBackIsNotSick() {
    for (int i = 1; i <= 100; i++) {
      judge.look(signs(new TargetVitals("disk", 7, 0, 0, 100, true, 8, 8)), i * SECOND);
      assertThat(kinds(i * SECOND)).isEmpty();
    }
  }

  @Test
  void workersThatDiedAreFoundAtOnce() {
    judge.look(signs(new TargetVitals("disk", 0, 0, 0, 100, false, 8, 6)), SECOND);
    assertThat(judge.findings(PATIENCE, SECOND))
        .extracting(HealthFinding::words)
        .containsExactly("target disk: of 8 threads that serve requests 2 are gone");
  }

  @Test
  void aControlLoopThatLapsedIsFound() {
    judge.look(
        new HealthSigns(
            List.of(WELL), 31 * SECOND, Map.of("disk", "the policy failed"), 0, 100, List.of()),
        SECOND);
    assertThat(judge.findings(PATIENCE, SECOND))
        .extracting(HealthFinding::words)
        .containsExactly("the control loop has not run for 31 s", "target disk: the policy failed");
  }

  @Test
  void memoryThatIsExhaustedForLongIsFound() {
    for (int i = 1; i <= 31; i++) {
      judge.look(new HealthSigns(List.of(WELL), 0, Map.of(), 99, 100, List.of()), i * SECOND);
      assertThat(kinds(i * SECOND)).isEqualTo(i < 31 ? List.of() : List.of(Kind.MEMORY_EXHAUSTED));
    }
    judge.look(signs(WELL), 32 * SECOND);
    judge.look(new HealthSigns(List.of(WELL), 0, Map.of(), 99, 100, List.of()), 33 * SECOND);
    assertThat(kinds(33 * SECOND)).as("it has only begun again").isEmpty();
  }

  @Test
  void whatOthersFoundIsTold() {
    HealthFinding history = new HealthFinding(Kind.HISTORY_NOT_WRITTEN, "", "the disk is full");
    judge.look(new HealthSigns(List.of(WELL), 0, Map.of(), 0, 100, List.of(history)), SECOND);
    assertThat(judge.findings(PATIENCE, SECOND)).containsExactly(history);
  }

  @Test
  void aWatchThatStoppedIsItselfAFinding() {
    judge.look(signs(WELL), SECOND);
    assertThat(kinds(SECOND + HealthJudge.WATCHED_NANOS)).isEmpty();
    assertThat(kinds(2 * SECOND + HealthJudge.WATCHED_NANOS)).containsExactly(Kind.NOT_WATCHED);
  }
}
