package dev.sluice.gateway.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MemoryTest {
  @Test
  void aBufferIsUsedAgainAndHasRoom() {
    BufferPool pool = new BufferPool(1 << 20);
    SeededCases.forAll(
        500,
        random -> {
          int bytes = random.nextInt(BufferPool.CAPACITY_MAX + 1);
          NativeBuffer buffer = pool.take(bytes);
          assertThat(buffer.bytes().remaining()).isGreaterThanOrEqualTo(bytes);
          assertThat(buffer.capacity()).isEqualTo(BufferPool.capacityFor(bytes));
          assertThat(pool.outBytes()).isEqualTo(buffer.capacity());
          buffer.bytes().position(1).limit(2);
          pool.giveBack(buffer);
          assertThat(pool.outBytes()).isZero();
          NativeBuffer again = pool.take(bytes);
          if (buffer.capacity() <= 1 << 20) {
            assertThat(again).isSameAs(buffer);
          }
          pool.giveBack(again);
        });
  }

  @Test
  void aBufferCannotBeGivenBackTwice() {
    BufferPool pool = new BufferPool(1 << 20);
    NativeBuffer buffer = pool.take(100);
    pool.giveBack(buffer);
    assertThatThrownBy(() -> pool.giveBack(buffer)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anAddressOutsideTheBufferIsRefused() {
    NativeBuffer buffer = new BufferPool(0).take(100);
    assertThatThrownBy(() -> buffer.address(buffer.capacity() - 1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> buffer.address(-1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void anAccountHoldsLessThanIsFreeBeforeItTakes() {
    SeededCases.forAll(
        500,
        random -> {
          MemoryBudget budget = new MemoryBudget(1_000);
          List<MemoryBudget.Account> accounts = new ArrayList<>();
          List<ArrayDeque<Long>> taken = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            accounts.add(budget.open(600, 20));
            taken.add(new ArrayDeque<>());
          }
          for (int step = 0; step < 300; step++) {
            int who = random.nextInt(5);
            MemoryBudget.Account account = accounts.get(who);
            if (random.nextInt(3) == 0) {
              Long bytes = taken.get(who).poll();
              if (bytes != null) {
                account.end(bytes);
              }
            } else {
              long bytes = random.nextLong(100);
              long held = account.heldBytes();
              long free = budget.freeBytes();
              boolean expected =
                  account.requests() < 20
                      && (held == 0 || held + bytes <= 600)
                      && (bytes == 0 || (bytes <= free && held < free));
              assertThat(account.tryTake(bytes)).isEqualTo(expected);
              if (expected) {
                taken.get(who).add(bytes);
              }
            }
            long held = accounts.stream().mapToLong(MemoryBudget.Account::heldBytes).sum();
            assertThat(held + budget.freeBytes()).isEqualTo(1_000);
          }
        });
  }

  @Test
  void whoWaitsGoesOnWhenSomethingIsGivenBack() throws Exception {
    MemoryBudget budget = new MemoryBudget(100);
    MemoryBudget.Account first = budget.open(100, 10);
    MemoryBudget.Account second = budget.open(100, 10);
    assertThat(first.take(100)).isTrue();
    CountDownLatch went = new CountDownLatch(1);
    Thread.ofPlatform()
        .start(() -> {
          second.take(50);
          went.countDown();
        });
    assertThat(went.await(50, TimeUnit.MILLISECONDS)).isFalse();
    first.end(100);
    assertThat(went.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(second.heldBytes()).isEqualTo(50);
  }

  @Test
  void aClosedAccountWaitsForNothing() throws Exception {
    MemoryBudget budget = new MemoryBudget(100);
    MemoryBudget.Account account = budget.open(100, 1);
    assertThat(account.take(10)).isTrue();
    AtomicBoolean answer = new AtomicBoolean(true);
    Thread waiting = Thread.ofPlatform().start(() -> answer.set(account.take(10)));
    account.close();
    waiting.join();
    assertThat(answer).isFalse();
    assertThat(account.heldBytes()).isEqualTo(10);
  }

  @Test
  void racingAccountsGiveAllBack() throws Exception {
    MemoryBudget budget = new MemoryBudget(1_000);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      MemoryBudget.Account account = budget.open(500, 3);
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 5_000; i++) {
                  long bytes = 1L + i % 300;
                  account.take(bytes);
                  account.giveBack(bytes / 2);
                  account.end(bytes - bytes / 2);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(budget.freeBytes()).isEqualTo(1_000);
  }
}
