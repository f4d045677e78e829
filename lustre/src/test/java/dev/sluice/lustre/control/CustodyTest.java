package dev.sluice.lustre.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.standin.StandInLctl.Fault;
import dev.sluice.lustre.standin.StandInServer;
import dev.sluice.testkit.SeededCases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CustodyTest {
  private static final AtomicInteger RIGS = new AtomicInteger();

  @TempDir Path directory;

  private Rig rig(StandInServer<String> server, String settings) throws Exception {
    return new Rig(server, directory, settings);
  }

  private static StandInServer<String> unfiltered(String version) {
    return new StandInServer<>(LustreVersion.parse(version), LustreService.OST_IO, 2, Rig.TARGET);
  }

  @Test
  void refusesWhatIsDangerousWithTheReason() {
    StandInServer<String> stable = unfiltered("2.15.8");
    assertThatThrownBy(() -> rig(stable, ""))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("nrs_policies is \"fifo\": expected the filter by job")
        .hasMessageContaining("lctl set_param ost.OSS.ost_io.nrs_policies=\"tbf jobid\"");
    assertThatThrownBy(() -> rig(stable, ", switch-policy: true"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("not safe before Lustre 2.15.56 (LU-14976), and this is 2.15.8");
    assertThat(stable.policy()).isEqualTo("fifo");

    assertThatThrownBy(() -> rig(Rig.filtering("2.15.8", 1), ", realtime: true"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("realtime: true: ")
        .hasMessageContaining("LU-15926");
    assertThatThrownBy(() -> rig(Rig.filtering("2.17.57", 1), ", realtime: true"))
        .hasMessageContaining("realtime: true: ");
    assertThatThrownBy(() -> rig(unfiltered("2.10.8"), ""))
        .hasMessage("Lustre 2.10.8 is too old: expected 2.12 or newer");
    assertThatThrownBy(() -> Rig.configuration(directory, ", rule-prefix: far_too_long_"))
        .hasMessageContaining("overrun a buffer in the kernel of Lustre 2.12");
  }

  @Test
  void aFilterOfAnotherKindIsLeftAsItIs() {
    StandInServer<String> byNode = unfiltered("2.16.1");
    byNode.reboot("tbf nid");
    assertThatThrownBy(() -> rig(byNode, ", switch-policy: true"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("is \"tbf nid\"")
        .hasMessageContaining("would lose all rules");
    assertThat(byNode.policy()).isEqualTo("tbf nid");
  }

  @Test
  void rulesOfOthersThatLookLikeOursAreNotTaken() {
    StandInServer<String> server = Rig.filtering("2.15.8", 1);
    server.write("start sl_mine jobid={x} rate=5");
    assertThatThrownBy(() -> rig(server, ""))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("rule sl_mine is there and begins like ours");
    assertThat(server.rules(0)).containsKey("sl_mine");
  }

  @Test
  void theFilterIsTurnedOffAgainUnlessOthersUseIt() throws Exception {
    StandInServer<String> server = unfiltered("2.16.1");
    try (Rig rig = rig(server, ", switch-policy: true")) {
      rig.period(Map.of());
      rig.period(Map.of("1", 5));
      assertThat(rig.ownRules()).hasSize(1);
      assertThat(rig.custody.giveBack()).isNull();
    }
    assertThat(server.policy()).isEqualTo("fifo");
    try (Rig rig = rig(server, ", switch-policy: true")) {
      server.write("start admin jobid={x} rate=5");
      assertThat(rig.custody.giveBack()).isNull();
    }
    assertThat(server.policy()).isEqualTo("tbf jobid");
    assertThat(server.rules(0)).containsKey("admin");
  }

  @Test
  void afterACrashAtAnyCommandTheNextStartUndoesEverything() throws Exception {
    SeededCases.forAll(
        3,
        random -> {
          // More commands than twelve periods and giving back need.
          for (int crashAt = 1; crashAt <= 40; crashAt++) {
            crash(crashAt, random);
          }
        });
  }

  private void crash(int crashAt, RandomGenerator random) throws Exception {
    StandInServer<String> server = Rig.filtering(random.nextBoolean() ? "2.15.8" : "2.17.57", 2);
    server.write("start admin jobid={x} rate=5");
    Path own = directory.resolve("crash" + RIGS.incrementAndGet());
    Map<String, Integer> load = new HashMap<>();
    try (Rig rig = new Rig(server, own, "")) {
      AtomicInteger calls = new AtomicInteger();
      rig.lctl.faults(() -> {
        if (calls.incrementAndGet() == crashAt) {
          throw new Crash();
        }
        return random.nextInt(5) == 0 ? Fault.LOSES : Fault.NONE;
      });
      for (int i = 0; i < 12; i++) {
        load.put("job" + random.nextInt(40), 10);
        rig.period(load);
      }
      rig.custody.giveBack();
    } catch (Crash e) {
      // The program is gone; what it had done stays.
    }
    try (Rig next = new Rig(server, own, "")) {
      assertThat(next.ownRules()).isEmpty();
      assertThat(server.rules(0).keySet()).containsExactly("admin", "default");
      assertThat(Files.exists(own.resolve("state/journal"))).isFalse();
    }
  }

  /** The end of the program in the middle of something. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void whatCannotBeUndoneIsSaidAndStaysInTheJournal() throws Exception {
    StandInServer<String> server = Rig.filtering("2.15.8", 1);
    try (Rig rig = rig(server, "")) {
      rig.period(Map.of());
      rig.period(Map.of("1", 5));
      rig.lctl.faults(() -> Fault.FAILS);
      assertThat(rig.custody.giveBack()).contains("Input/output error");
      assertThat(rig.journal.names()).containsExactly("sl_1");
      rig.lctl.faults(() -> Fault.NONE);
      assertThat(rig.custody.giveBack()).isNull();
    }
    assertThat(server.rules(0).keySet()).containsExactly("default");
  }
}
