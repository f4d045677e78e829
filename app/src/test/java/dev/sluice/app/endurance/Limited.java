package dev.sluice.app.endurance;

import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import java.util.concurrent.atomic.AtomicLong;

/** A client that always has several calls under way, and is held back by a limit. */
final class Limited {
  private static final int UNDER_WAY = 8;

  private final NfsClient client;
  private final Handle file;
  private final AtomicLong answers = new AtomicLong();

  Limited(NfsClient client, Handle file) {
    this.client = client;
    this.file = file;
  }

  /** Goes on until its connection is closed. */
  void begin() {
    for (int i = 0; i < UNDER_WAY; i++) {
      Thread.startVirtualThread(this::askForEver);
    }
  }

  private void askForEver() {
    while (true) {
      client.attributes(file).join();
      answers.incrementAndGet();
    }
  }

  long answers() {
    return answers.get();
  }
}
