package dev.sluice.store.lease;

import dev.sluice.store.PostgresForTests;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.util.OptionalLong;

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
            PostgresForTests.location(arguments[0]), arguments[1], LeaseTimes.STANDARD)) {
      System.out.println("ready");
      while (System.in.available() == 0) {
        long nowNanos = System.nanoTime();
        OptionalLong epoch = keeper.leadingEpoch(nowNanos);
        if (epoch.isPresent()) {
          System.out.println("leads " + epoch.getAsLong() + " " + nowNanos);
        }
        TimePasses.forMillis(LOOK_MILLIS);
      }
    }
  }
}
