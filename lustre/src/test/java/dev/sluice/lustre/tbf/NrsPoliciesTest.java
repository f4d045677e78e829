package dev.sluice.lustre.tbf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.lustre.LustreVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NrsPoliciesTest {
  private static String text(String tbf, String state, String highPriorityState) {
    return """

    regular_requests:
      - name: fifo
        state: started
        fallback: yes
        queued: 0
        active: 0

      - name: %1$s
        state: %2$s
        fallback: no
        queued: 2015
        active: 384

    high_priority_requests:
      - name: fifo
        state: started
        fallback: yes
        queued: 0
        active: 0

      - name: %1$s
        state: %3$s
        fallback: no
        queued: 0
        active: 0
    """
        .formatted(tbf, state, highPriorityState);
  }

  @Test
  void tellsWhichPolicyIsAtWork() {
    NrsPolicies filtering = NrsPolicies.parse(text("tbf jobid", "started", "started"));
    assertThat(filtering.isByJob()).isTrue();
    assertThat(filtering.settled()).isTrue();

    NrsPolicies off = NrsPolicies.parse(text("tbf", "stopped", "stopped"));
    assertThat(off).isEqualTo(new NrsPolicies("fifo", "fifo", true, 2_015));
    assertThat(off.isFiltering()).isFalse();

    NrsPolicies half = NrsPolicies.parse(text("tbf jobid", "started", "stopped"));
    assertThat(half.isByJob()).isFalse();
    assertThat(half.isFiltering()).isTrue();

    assertThat(NrsPolicies.parse(text("tbf jobid", "stopping", "started")).settled()).isFalse();
    assertThat(NrsPolicies.parse(text("tbf nid", "started", "started")).isByJob()).isFalse();
  }

  @Test
  void refusesWhatItDoesNotUnderstand() {
    assertThatThrownBy(() -> NrsPolicies.parse("nonsense\n"))
        .hasMessage("nrs_policies: expected the policies of regular requests in \"nonsense\"");
  }

  @ParameterizedTest
  @CsvSource({
    "2.15.8, 2, 15, 8",
    "2.14.0_ddn172, 2, 14, 0",
    "lustre: 2.12.9, 2, 12, 9",
    "2.16, 2, 16, 0",
    "2.15.0.4_rc2_cray_188, 2, 15, 0"
  })
  void versionsCountByTheirNumbers(String text, int major, int minor, int patch) {
    assertThat(LustreVersion.parse(text)).isEqualTo(new LustreVersion(major, minor, patch));
  }

  @Test
  void dangersDependOnTheVersion() {
    LustreVersion old = LustreVersion.of(2, 12, 9);
    LustreVersion stable = LustreVersion.of(2, 15, 8);
    LustreVersion late = LustreVersion.of(2, 16, 1);

    assertThat(VersionHazards.unsupported(LustreVersion.of(2, 10, 8))).contains("2.12 or newer");
    assertThat(VersionHazards.unsupported(old)).isNull();
    assertThat(VersionHazards.againstSwitching(stable)).contains("LU-14976", "2.15.8");
    assertThat(VersionHazards.againstSwitching(late)).isNull();
    assertThat(VersionHazards.againstRealtime(stable)).contains("LU-15926");
    assertThat(VersionHazards.againstRealtime(late)).doesNotContain("LU-15926");
    assertThat(VersionHazards.notes(old)).hasSize(4).first().asString().contains("LU-15056");
    assertThat(VersionHazards.notes(late)).isEmpty();
    assertThat(VersionHazards.rateMax(old)).isEqualTo(65_534);
    assertThat(VersionHazards.rateMax(stable)).isEqualTo(999_999);
    assertThatThrownBy(() -> LustreVersion.parse("none"))
        .hasMessage("\"none\": expected a version such as 2.15.8");
  }
}
