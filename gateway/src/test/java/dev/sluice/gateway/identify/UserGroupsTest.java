package dev.sluice.gateway.identify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.files.FileException;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.testkit.Eventually;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class UserGroupsTest {
  private final FakeNames names = new FakeNames();
  private final UserGroups groups = new UserGroups(names, names, names);

  @Test
  void whoIsNotKnownYetComesAgain() throws Exception {
    names.memberships.put(7, new int[] {1, 2, 3});
    assertComesAgain(7);
    assertComesAgain(7);
    names.answer();
    assertThat(groups.of(7)).containsExactly(1, 2, 3);
    assertThat(names.questions).isEqualTo(1);
  }

  @Test
  void whomNobodyKnowsIsNotHeldUp() throws Exception {
    assertComesAgain(8);
    names.answer();
    assertThat(groups.of(8)).isNull();
  }

  @Test
  void whileNobodyCanBeAskedItIsNeitherGrantedNorRefused() throws Exception {
    names.isDown = true;
    assertComesAgain(7);
    names.answer();
    assertComesAgain(7);
  }

  @Test
  void anAnswerThatComesAtOnceIsWaitedFor() throws Exception {
    names.memberships.put(7, new int[] {5});
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      UserGroups prompt = new UserGroups(names, threads, names);
      // On a busy machine a moment may pass before the thread runs; the next call finds it.
      Eventually.await("groups of 7", () -> statusOf(prompt, 7) == Nfs3Status.OK);
      assertThat(prompt.of(7)).containsExactly(5);
    }
  }

  /** A name service that hangs costs those who wait for a thread next to nothing. */
  @Test
  void oneThatHangsIsNotWaitedForAgainAndAgain() {
    CountDownLatch end = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      UserGroups slow =
          new UserGroups(
              names,
              question ->
                  threads.execute(() -> {
                    awaitQuietly(end);
                    question.run();
                  }),
              names);
      long beganNanos = System.nanoTime();
      for (int uid = 1; uid <= 10_000; uid++) {
        assertThat(statusOf(slow, uid)).isEqualTo(Nfs3Status.JUKEBOX);
      }
      // Each waiting for its moment would take 200 s.
      assertThat(System.nanoTime() - beganNanos).isLessThan(100_000_000_000L);
      end.countDown();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Nfs3Status statusOf(UserGroups groups, int uid) {
    try {
      groups.of(uid);
      return Nfs3Status.OK;
    } catch (FileException e) {
      return e.status();
    }
  }

  private void assertComesAgain(int uid) {
    assertThatThrownBy(() -> groups.of(uid))
        .isInstanceOfSatisfying(
            FileException.class, e -> assertThat(e.status()).isEqualTo(Nfs3Status.JUKEBOX));
  }
}
