package dev.sluice.store.lease;

import dev.sluice.store.PostgresForTests;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;

/**
 * A controller that does nothing but lead, in a process of its own. It prints a line for every few
 * milliseconds in which it found that it leads: the epoch, and the instant by the clock that all
 * processes of one machine share. Ends when its input does.
 */
final class LeadingProcess {
  private static final long LOOK_MILLIS = 5;

  private LeadingProcess() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    try (LeaseKeeper keeper =
        new LeaseKeeper(
            PostgresForTests.location(arguments[0]),
            arguments[1],
            LeaseTimes.STANDARD,
            LeaderMemory.NONE)) {
      System.out.println("ready");
      while (System.in.available() == 0) {
        long nowNanos = System.nanoTime();
        Leader leader = keeper.leading(nowNanos);
        if (leader != null) {
          System.out.println("leads " + leader.epoch() + " " + nowNanos);
        }
        TimePasses.forMillis(LOOK_MILLIS);
      }
    }
  }
}
