package dev.sluice.load.play;

import dev.sluice.load.client.Answers;
import dev.sluice.load.client.FileAttributes;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Removes a directory on a server with all that is in it. */
final class TreeRemoval {
  private static final int LISTING_BYTES = 32 << 10;

  private final NfsClient client;

  TreeRemoval(NfsClient client) {
    this.client = client;
  }

  void remove(Handle parent, String name) throws IOException {
    empty(Answers.await(client.lookup(parent, name)));
    Answers.await(client.removeDirectory(parent, name));
  }

  /** Begins at the beginning after each part: what was listed is gone then. */
  private void empty(Handle directory) throws IOException {
    List<String> names = names(directory);
    while (!names.isEmpty()) {
      List<CompletableFuture<Boolean>> removals = new ArrayList<>();
      for (String name : names) {
        Handle child = Answers.await(client.lookup(directory, name));
        if (Answers.await(client.attributes(child)).type() == FileAttributes.DIRECTORY) {
          empty(child);
          removals.add(client.removeDirectory(directory, name));
        } else {
          removals.add(client.remove(directory, name));
        }
      }
      for (CompletableFuture<Boolean> removal : removals) {
        Answers.await(removal);
      }
      names = names(directory);
    }
  }

  /** Some of the names, none only where there are none. */
  private List<String> names(Handle directory) throws IOException {
    List<String> names = new ArrayList<>();
    long cookie = 0;
    long verifier = 0;
    while (names.isEmpty()) {
      NfsClient.Page page = Answers.await(client.list(directory, cookie, verifier, LISTING_BYTES));
      for (NfsClient.Entry entry : page.entries()) {
        if (!entry.name().equals(".") && !entry.name().equals("..")) {
          names.add(entry.name());
        }
        cookie = entry.cookie();
      }
      verifier = page.verifier();
      if (page.last() || page.entries().isEmpty()) {
        break;
      }
    }
    return names;
  }
}
