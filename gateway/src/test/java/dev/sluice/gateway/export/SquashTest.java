package dev.sluice.gateway.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.export.Squash.Who;
import dev.sluice.gateway.files.Caller;
import dev.sluice.nfs.rpc.Credential;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SquashTest {
  private static final Caller ANONYMOUS = new Caller(99, 98);

  private static Caller squashed(Who who, int uid, int gid, int... groups) {
    return new Squash(who, ANONYMOUS).caller(new Credential.Sys("host", uid, gid, groups));
  }

  @Test
  void noneBelievesEverybody() {
    assertThat(squashed(Who.NONE, 0, 0, 0, 5)).isEqualTo(new Caller(0, 0, 0, 5));
    assertThat(squashed(Who.NONE, -3, 4)).isEqualTo(new Caller(-3, 4));
  }

  @Test
  void rootBelievesNeitherRootNorRootsGroup() {
    assertThat(squashed(Who.ROOT, 0, 0, 0, 5)).isEqualTo(new Caller(99, 98, 98, 5));
    assertThat(squashed(Who.ROOT, 7, 0, 5, 0)).isEqualTo(new Caller(7, 98, 5, 98));
    assertThat(squashed(Who.ROOT, 7, 8, 9)).isEqualTo(new Caller(7, 8, 9));
  }

  @Test
  void allBelievesNobody() {
    assertThat(squashed(Who.ALL, 7, 8, 9)).isEqualTo(ANONYMOUS);
  }

  @ParameterizedTest
  @EnumSource
  void whoSaysNothingIsAnonymous(Who who) {
    Squash squash = new Squash(who, ANONYMOUS);
    assertThat(squash.caller(Credential.NONE)).isEqualTo(ANONYMOUS);
    assertThat(squash.caller(new Credential.Unknown(6))).isEqualTo(ANONYMOUS);
  }

  /** For the kernel this number means: stay who you are, and the server is root. */
  @ParameterizedTest
  @EnumSource
  void minusOneIsNobodysNumber(Who who) {
    assertThat(squashed(who, -1, 0)).isEqualTo(ANONYMOUS);
    Caller withGroups = squashed(who, 7, -1, -1);
    assertThat(withGroups.gid()).isEqualTo(98);
    for (int i = 0; i < withGroups.groupCount(); i++) {
      assertThat(withGroups.group(i)).isEqualTo(98);
    }
    assertThatThrownBy(() -> new Squash(who, new Caller(-1, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4294967295:0");
  }
}
