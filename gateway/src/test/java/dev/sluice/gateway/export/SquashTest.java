package dev.sluice.gateway.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.export.Squash.Who;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileException;
import dev.sluice.nfs.rpc.Credential;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SquashTest {
  private static final Caller ANONYMOUS = new Caller(99, 98);

  private static Caller squashed(Who who, int uid, int gid, int... groups) throws FileException {
    return new Squash(who, ANONYMOUS).caller(new Credential.Sys("host", uid, gid, groups));
  }

  @Test
  void noneBelievesEverybody() throws FileException {
    assertThat(squashed(Who.NONE, 0, 0, 0, 5)).isEqualTo(new Caller(0, 0, 0, 5));
    assertThat(squashed(Who.NONE, -3, 4)).isEqualTo(new Caller(-3, 4));
  }

  @Test
  void rootBelievesNeitherRootNorRootsGroup() throws FileException {
    assertThat(squashed(Who.ROOT, 0, 0, 0, 5)).isEqualTo(new Caller(99, 98, 98, 5));
    assertThat(squashed(Who.ROOT, 7, 0, 5, 0)).isEqualTo(new Caller(7, 98, 5, 98));
    assertThat(squashed(Who.ROOT, 7, 8, 9)).isEqualTo(new Caller(7, 8, 9));
  }

  @Test
  void allBelievesNobody() throws FileException {
    assertThat(squashed(Who.ALL, 7, 8, 9)).isEqualTo(ANONYMOUS);
  }

  /** Sixteen is what a call has room for; who is in more is looked up. */
  @Test
  void groupsAreThoseOfTheListWhereThereIsOne() throws FileException {
    int[] many = IntStream.range(0, 40).toArray();
    Squash squash = new Squash(Who.ROOT, ANONYMOUS, uid -> uid == 7 ? many : null);
    Caller known = squash.caller(new Credential.Sys("host", 7, 8, 9_999));
    assertThat(known.gid()).isEqualTo(8);
    assertThat(known.groupCount()).isEqualTo(40);
    assertThat(known.group(0)).as("root's group is not given by a list either").isEqualTo(98);
    assertThat(known.group(39)).isEqualTo(39);
    assertThat(many[0]).isZero();
    assertThat(squash.caller(new Credential.Sys("host", 6, 8, 9)))
        .as("known to nobody")
        .isEqualTo(new Caller(6, 8, 9));
  }

  @ParameterizedTest
  @EnumSource
  void whoIsNotBelievedIsNotLookedUp(Who who) throws FileException {
    Squash squash =
        new Squash(
            who,
            ANONYMOUS,
            uid -> {
              throw new AssertionError("asked about " + uid);
            });
    assertThat(squash.caller(new Credential.Sys("host", 0, 5, 6)).uid())
        .isEqualTo(who == Who.NONE ? 0 : 99);
    assertThat(squash.caller(Credential.NONE)).isEqualTo(ANONYMOUS);
    assertThat(squash.caller(new Credential.Sys("host", -1, 5))).isEqualTo(ANONYMOUS);
  }

  @ParameterizedTest
  @EnumSource
  void whoSaysNothingIsAnonymous(Who who) throws FileException {
    Squash squash = new Squash(who, ANONYMOUS);
    assertThat(squash.caller(Credential.NONE)).isEqualTo(ANONYMOUS);
    assertThat(squash.caller(new Credential.Unknown(6))).isEqualTo(ANONYMOUS);
  }

  /** For the kernel this number means: stay who you are, and the server is root. */
  @ParameterizedTest
  @EnumSource
  void minusOneIsNobodysNumber(Who who) throws FileException {
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
