package dev.sluice.lustre.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.standin.StandInServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits that are not about jobs, on a filter that goes by what they ask about. */
class RequestRulesTest {
  private static final String WRITES_OF_ANN =
      ", policy: none, switch-policy: true, limits: [{name: ann, match: 'user=1001"
          + " operation=write', rate: 40 ops/s}]";

  @TempDir Path directory;

  private static StandInServer<String> server(String version, int partitions) {
    return new StandInServer<>(
        LustreVersion.parse(version), LustreService.OST_IO, partitions, Rig.TARGET);
  }

  /** How many requests of a class pass in ten seconds, of as many as come. */
  private static int passed(StandInServer<String> server, String key) {
    int passed = 0;
    server.enqueue(0, key, key, 0);
    for (long now = 0; now < 10 * Rig.SECOND; now += 1_000_000) {
      while (server.dequeue(0, now) != null) {
        passed++;
        server.enqueue(0, key, key, now);
      }
    }
    server.drain(0);
    return passed;
  }

  @Test
  void aUsersWritesAreLimitedAndNothingElseIs() throws Exception {
    StandInServer<String> server = server("2.17.57", 1);
    try (Rig rig = new Rig(server, directory, WRITES_OF_ANN)) {
      rig.period(Map.of());
      PeriodReport report = rig.period(Map.of("4711", 30));

      assertThat(server.policy()).isEqualTo("tbf uid+opcode");
      assertThat(report.problems()).isEmpty();
      assertThat(server.rulesShown()).contains(" uid={1001}&opcode={ost_write} 40, ref ");
      assertThat(passed(server, "uid=1001 opcode=ost_write")).isBetween(360, 410);
      assertThat(passed(server, "uid=1001 opcode=ost_read")).isGreaterThan(5_000);
      assertThat(passed(server, "uid=1002 opcode=ost_write")).isGreaterThan(5_000);

      // What is there already is not written again.
      assertThat(rig.period(Map.of("4711", 30)).commands()).isEmpty();
      assertThat(rig.custody.giveBack()).isNull();
      assertThat(server.policy()).isEqualTo("fifo");
      assertThat(server.crash()).isNull();
    }
  }

  @Test
  void aRateIsDividedByThePartitionsOnWhichRequestsCome() throws Exception {
    StandInServer<String> server = server("2.15.58", 4);
    String byUser =
        ", policy: none, switch-policy: true, limits: [{name: ann, match: user=1001, rate: 40"
            + " ops/s}]";
    try (Rig rig = new Rig(server, directory, byUser)) {
      rig.period(Map.of());
      rig.period(Map.of("4711", 30));
      assertThat(server.policy()).isEqualTo("tbf uid");
      assertThat(rig.ownRules().values()).containsExactly(10L);

      server.enqueue(0, "uid=1001", "one", rig.nowNanos);
      server.enqueue(2, "uid=1001", "other", rig.nowNanos);
      rig.nowNanos += Rig.SECOND;
      rig.loop.step(rig.nowNanos);
      assertThat(rig.ownRules().values()).containsExactly(20L);
    }
  }

  @Test
  void aFilterOfAnotherKindIsLeftAlone() {
    StandInServer<String> server = Rig.filtering("2.17.57", 1);

    assertThatThrownBy(() -> new Rig(server, directory, WRITES_OF_ANN).close())
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("expected \"tbf uid+opcode\" for both");
    assertThat(server.policy()).isEqualTo("tbf jobid");
  }

  @Test
  void aVersionThatCannotIsNamedWithTheOneThatCan() {
    assertThatThrownBy(() -> new Rig(server("2.16.1", 1), directory, WRITES_OF_ANN).close())
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "limit ann: Lustre 2.16.1 filters by one of uid, opcode at a time: combinations came"
                + " with 2.17.51");
  }
}
