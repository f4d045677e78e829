package dev.sluice.app.endurance;

import dev.sluice.load.client.Answers;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client that opens new files: what nobody may do while others may still claim what they had
 * open.
 */
final class Opener implements Runnable {
  private final NfsClient client;
  private final Handle directory;
  private final AtomicLong steps = new AtomicLong();
  private volatile boolean stopped;

  Opener(NfsClient client, Handle directory) {
    this.client = client;
    this.directory = directory;
  }

  @Override
  public void run() {
    try {
      for (long turn = 0; !stopped; turn++) {
        String name = "opened-" + turn;
        Answers.await(client.create(directory, name, 0644));
        Answers.await(client.remove(directory, name));
        steps.incrementAndGet();
      }
    } catch (IOException e) {
      throw new IllegalStateException("opener: " + e.getMessage(), e);
    }
  }

  void stop() {
    stopped = true;
  }

  long steps() {
    return steps.get();
  }
}
