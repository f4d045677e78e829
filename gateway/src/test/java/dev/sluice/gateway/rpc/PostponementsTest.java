package dev.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.gateway.memory.JobMemory;
import dev.sluice.gateway.memory.JobMemory.Speed;
import dev.sluice.gateway.memory.JobMemory.Verdict;
import dev.sluice.gateway.memory.MemoryBudget;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PostponementsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long STEP = 5_000_000L;

  /** When Linux sends a call again that it was told to send later, in version 3 and in 4. */
  private static final long[] BACK_AFTER = {5 * SECOND, SECOND / 10};

  /** A client with many calls at once, and a server that holds it to a rate, in virtual time. */
  private static final class Play {
    final MemoryBudget budget = new MemoryBudget(1L << 30);
    final Postponements postponements = new Postponements();
    final JobMemory memory = budget.of(JobId.of("job"));
    final JobMemory.KnownSpeed known;
    final long bytes;
    final double bytesPerSecond;
    final long backAfter;
    final ArrayDeque<Long> queue = new ArrayDeque<>();
    final PriorityQueue<Long> comingBack = new PriorityQueue<>();
    long now;
    long servedBytes;
    long credit;
    long sentBytes;
    long longestUnanswered;
    long longestQueued;

    Play(long bytes, double bytesPerSecond, long backAfter, boolean isKnown) {
      this.backAfter = backAfter;
      this.bytes = bytes;
      this.bytesPerSecond = bytesPerSecond;
      known = _ -> isKnown ? new Speed((long) bytesPerSecond, Long.MAX_VALUE) : Speed.UNKNOWN;
    }

    void send() {
      sentBytes += bytes;
      if (memory.take(bytes, known, now) == Verdict.TAKEN) {
        postponements.cameBack(memory.job());
        queue.addLast(now);
        return;
      }
      long sentAt = now;
      postponements.add(
          new Postponements.Call() {
            @Override
            public long bytes() {
              return bytes;
            }

            @Override
            public boolean isThere() {
              return true;
            }

            @Override
            public void tell() {
              longestUnanswered = Math.max(longestUnanswered, now - sentAt);
              comingBack.add(now + backAfter);
            }

            @Override
            public void drop() {
              throw new AssertionError("it is there");
            }
          },
          memory,
          known,
          now);
    }

    void run(long untilNanos) {
      for (; now < untilNanos; now += STEP) {
        while (!comingBack.isEmpty() && comingBack.peek() <= now) {
          comingBack.remove();
          send();
        }
        credit += (long) (bytesPerSecond * STEP / SECOND);
        while (credit >= bytes && !queue.isEmpty()) {
          credit -= bytes;
          longestQueued = Math.max(longestQueued, now - queue.removeFirst());
          memory.end(bytes, now);
          servedBytes += bytes;
          // The client sends its next one.
          send();
        }
        credit = Math.min(credit, 3 * bytes);
        postponements.tellDue(now);
      }
    }
  }

  /**
   * A job gets all of its rate, however many calls it has at once and whether those that are told
   * to come later come back soon or after five seconds; nobody is left without an answer for a
   * minute; and little is sent in vain.
   */
  @Test
  void aJobThatIsHeldToARateGetsAllOfIt() {
    SeededCases.forAll(
        40,
        random -> {
          long bytes = random.nextBoolean() ? 1 << 20 : 1L << (12 + random.nextInt(8));
          double bytesPerSecond = 500_000 + random.nextDouble() * 8_000_000;
          long backAfter = BACK_AFTER[random.nextInt(BACK_AFTER.length)];
          Play play = new Play(bytes, bytesPerSecond, backAfter, true);
          int atOnce = (int) Math.min(8_000, (64L << 20) / bytes + random.nextInt(2_000));
          for (int i = 0; i < atOnce; i++) {
            play.send();
          }
          play.run(20 * SECOND);
          long served = play.servedBytes;
          long sent = play.sentBytes;
          play.run(80 * SECOND);
          double rate = (play.servedBytes - served) / 60.0;
          double onceFull = 3.0 * bytes / 60;
          assertThat(rate).isBetween(0.97 * bytesPerSecond - onceFull, bytesPerSecond + onceFull);
          assertThat(play.longestUnanswered).isLessThan(25 * SECOND);
          assertThat(play.longestQueued).isLessThan(40 * SECOND);
          double inVain = (play.sentBytes - sent) / 60.0 - rate;
          assertThat(inVain)
              .isLessThan(0.2 * bytesPerSecond + 1.5 * atOnce * bytes / 25.0 + 100_000);
        });
  }

  @Test
  void whatIsGoneIsNotTold() {
    MemoryBudget budget = new MemoryBudget(1L << 30);
    JobMemory memory = budget.of(JobId.of("job"));
    Postponements postponements = new Postponements();
    var told = new ArrayList<Integer>();
    var dropped = new ArrayList<Integer>();
    for (int i = 0; i < 10; i++) {
      int number = i;
      postponements.add(
          new Postponements.Call() {
            @Override
            public long bytes() {
              return 1;
            }

            @Override
            public boolean isThere() {
              return number % 2 == 0;
            }

            @Override
            public void tell() {
              told.add(number);
            }

            @Override
            public void drop() {
              dropped.add(number);
            }
          },
          memory,
          _ -> Speed.UNKNOWN,
          0);
    }
    postponements.tellDue(SECOND);
    assertThat(told).containsExactly(0, 2, 4, 6, 8);
    assertThat(dropped).containsExactly(1, 3, 5, 7, 9);
    assertThat(postponements.isEmpty()).as("they may come back").isFalse();
    postponements.tellDue(10 * SECOND);
    assertThat(postponements.isEmpty()).isTrue();
  }
}
