package dev.sluice.app.endurance;

import dev.sluice.load.client.Answers;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.NfsException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client that makes, renames and removes names of its own: calls that must be done once. Whoever
 * does one again finds that it is done already and says so; that is counted here, as nobody else
 * has a hand in these names.
 */
final class NameChanger implements Runnable {
  private final NfsClient client;
  private final Handle directory;
  private final int number;
  private final AtomicLong steps = new AtomicLong();
  private final AtomicLong doneTwice = new AtomicLong();
  private volatile boolean stopped;

  NameChanger(NfsClient client, Handle directory, int number) {
    this.client = client;
    this.directory = directory;
    this.number = number;
  }

  @Override
  public void run() {
    try {
      for (long turn = 0; !stopped; turn++) {
        String made = "made-" + number + "-" + turn;
        String moved = "moved-" + number + "-" + turn;
        once(client.makeDirectory(directory, made, 0755));
        once(client.rename(directory, made, directory, moved));
        once(client.removeDirectory(directory, moved));
        steps.incrementAndGet();
      }
    } catch (IOException e) {
      throw new IllegalStateException("changer " + number + ": " + e.getMessage(), e);
    }
  }

  private void once(CompletableFuture<?> call) throws IOException {
    try {
      Answers.await(call);
    } catch (NfsException refused) {
      String words = String.valueOf(refused.getMessage());
      if (!refused.isNoEntry() && !words.contains("EXIST")) {
        throw refused;
      }
      doneTwice.incrementAndGet();
    }
  }

  void stop() {
    stopped = true;
  }

  long steps() {
    return steps.get();
  }

  /** How many calls were answered as if they had been done before. */
  long doneTwice() {
    return doneTwice.get();
  }
}
