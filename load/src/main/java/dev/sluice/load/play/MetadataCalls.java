package dev.sluice.load.play;

import dev.sluice.core.model.Operation;
import dev.sluice.load.client.Answers;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.NfsException;
import dev.sluice.nfs.nfs3.AccessRights;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Metadata operations as one NFS call each, on names of the process's own. What has no call of its
 * own is asked for by the one that a kernel's client would send: in version 3 ACCESS to open, which
 * is an OPEN and a CLOSE in version 4, and GETATTR to close.
 *
 * <p>Removing a name when there is none left is an operation too: the server has to look, and
 * answers that there is none.
 */
final class MetadataCalls {
  private static final int MODE = 0755;
  private static final int LISTING_BYTES = 8 << 10;

  /** So many names that listings have something to tell, and a removal something to remove. */
  private static final int NAMES_AT_FIRST = 32;

  /** Of what was made later no more than this is remembered; the rest stays where it is. */
  private static final int NAMES_MAX = 4_096;

  private static final String FILE = "file";
  private static final String LINK = "link";
  private static final String NOBODY = "nobody";

  private final Workplace place;
  private final NfsClient client;
  private final Handle directory;

  /** Used by the process's own thread alone, like the next one. */
  private final Deque<String> files = new ArrayDeque<>();

  private final Deque<String> directories = new ArrayDeque<>();
  private long named;
  private @Nullable Handle file;
  private @Nullable Handle link;

  MetadataCalls(Workplace place) {
    this.place = place;
    this.client = place.client();
    this.directory = place.directory();
  }

  /** Refuses what cannot be asked of a server. */
  static void check(Operation operation, Workplace place) {
    switch (operation) {
      case READ, WRITE, ALLOCATE, COPY, GETXATTR, SETXATTR, LISTXATTR, REMOVEXATTR ->
          throw new IllegalArgumentException(
              place + ": NFS has no " + operation.text() + " among its metadata calls");
      default -> {}
    }
  }

  void prepare() throws IOException {
    file = Answers.await(client.create(directory, FILE, MODE));
    link = Answers.await(client.makeSymbolicLink(directory, LINK, FILE));
    for (int i = 0; i < NAMES_AT_FIRST; i++) {
      Answers.await(create());
      Answers.await(makeDirectory());
    }
  }

  /** One operation; answers that it moved no bytes. */
  CompletableFuture<Long> call(Operation operation) {
    Handle itsFile = Objects.requireNonNull(file);
    Handle itsLink = Objects.requireNonNull(link);
    CompletableFuture<?> answer =
        switch (operation) {
          case OPEN -> client.tryOpen(directory, FILE, itsFile);
          case ACCESS -> client.access(itsFile, AccessRights.ALL);
          case CLOSE, GETATTR -> client.attributes(itsFile);
          case SETATTR -> client.setMode(itsFile, MODE);
          case TRUNCATE -> client.setSize(itsFile, 0);
          case COMMIT -> client.commit(itsFile);
          case LOOKUP -> client.lookup(directory, FILE);
          case READLINK -> client.readLink(itsLink);
          case READDIR -> client.listWithAttributes(directory, 0, 0, LISTING_BYTES);
          case STATFS -> client.fileSystemStatus(directory);
          case CREATE -> create();
          case MKNOD -> client.makeNamedPipe(directory, kept(files), MODE);
          case SYMLINK -> client.makeSymbolicLink(directory, kept(files), FILE);
          case LINK -> client.link(itsFile, directory, kept(files));
          case RENAME -> client.rename(directory, taken(files), directory, kept(files));
          case UNLINK -> client.remove(directory, taken(files));
          case MKDIR -> makeDirectory();
          case RMDIR -> client.removeDirectory(directory, taken(directories));
          case READ, WRITE, ALLOCATE, COPY, GETXATTR, SETXATTR, LISTXATTR, REMOVEXATTR ->
              throw new IllegalArgumentException(
                  place + ": no metadata call for " + operation.text());
        };
    return answer.handle((_, wrong) -> {
      if (wrong != null && !isMissingName(wrong)) {
        throw new CompletionException(Answers.cause(wrong));
      }
      return 0L;
    });
  }

  private CompletableFuture<Handle> create() {
    return client.create(directory, kept(files), MODE);
  }

  private CompletableFuture<Handle> makeDirectory() {
    return client.makeDirectory(directory, kept(directories), MODE);
  }

  /** A new name, which is remembered. */
  private String kept(Deque<String> names) {
    String name = "n" + named++;
    if (names.size() < NAMES_MAX) {
      names.add(name);
    }
    return name;
  }

  private static String taken(Deque<String> names) {
    String name = names.poll();
    return name == null ? NOBODY : name;
  }

  /** A name may be taken before the call that makes it has been served. */
  private static boolean isMissingName(Throwable wrong) {
    return Answers.cause(wrong) instanceof NfsException refused && refused.isNoEntry();
  }
}
