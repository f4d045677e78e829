package dev.sluice.history.store;

import java.io.IOException;
import java.nio.file.Path;

/** A program that writes history as fast as it can, until it is killed: see the test of it. */
final class KilledWriter {
  private KilledWriter() {}

  public static void main(String[] args) throws IOException {
    long second = Long.parseLong(args[1]);
    try (HistoryStore store =
        HistoryStore.open(Path.of(args[0]), HistoryStore.BYTES_DEFAULT, 1_000 * second)) {
      while (true) {
        store.record(SampleCases.ofSecond(++second));
        System.out.println(second);
      }
    }
  }
}
