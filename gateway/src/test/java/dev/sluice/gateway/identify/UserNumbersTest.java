package dev.sluice.gateway.identify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.files.FileException;
import dev.sluice.nfs.nfs3.Nfs3Status;
import org.junit.jupiter.api.Test;

class UserNumbersTest {
  private final FakeNames names = new FakeNames();
  private final UserNumbers numbers = new UserNumbers(names, names, names);
  private final UserNames userNames = new UserNames(names, names, names);

  @Test
  void whoIsNotKnownYetIsAskedForAndComesAgain() throws Exception {
    names.users.put(7, "alice");
    names.groups.put(8, "team");
    assertComesAgain();
    names.answer();
    assertThat(numbers.user("alice")).isEqualTo(7);
    assertThat(names.questions).isEqualTo(1);
  }

  @Test
  void whomNobodyKnowsHasNone() throws Exception {
    assertComesAgain();
    names.answer();
    assertThat(numbers.user("alice")).isNull();
  }

  @Test
  void whatIsNoNameIsNotAskedAbout() throws Exception {
    assertThat(numbers.user("a".repeat(257))).isNull();
    assertThat(numbers.group("root\0x")).isNull();
    assertThat(names.waiting).isEmpty();
  }

  @Test
  void aNameIsNullUntilItIsKnownAndWhereThereIsNone() {
    names.users.put(7, "alice");
    assertThat(userNames.userSoon(7)).isNull();
    assertThat(userNames.userSoon(8)).isNull();
    names.answer();
    assertThat(userNames.userSoon(7)).isEqualTo("alice");
    assertThat(userNames.userSoon(8)).isNull();
  }

  /** Who waits for many, one after the other, does not wait for all of them. */
  @Test
  void waitsTogetherAreBounded() {
    WaitBudget budget = new WaitBudget(100, 5_000, 0);
    assertThat(budget.isLeft(0)).isTrue();
    budget.spend(99, 99);
    assertThat(budget.isLeft(99)).isTrue();
    budget.spend(20, 120);
    assertThat(budget.isLeft(4_999)).isFalse();
    assertThat(budget.isLeft(5_000)).isTrue();
  }

  private void assertComesAgain() {
    assertThatThrownBy(() -> numbers.user("alice"))
        .isInstanceOfSatisfying(
            FileException.class, e -> assertThat(e.status()).isEqualTo(Nfs3Status.JUKEBOX));
  }
}
