package dev.sluice.load.play;

import dev.sluice.core.model.Operation;
import dev.sluice.load.client.Answers;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.sim.engine.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A process's own directory on the server, and the files it has there. */
final class Workplace {
  private static final int FILE_MODE = 0644;

  private final String name;
  private final NfsClient client;
  private final Handle directory;
  private final long seed;
  private final PlaySettings settings;
  private final int transferBytesMax;
  private final List<PlayFile> files = new ArrayList<>();

  /**
   * A directory.
   *
   * @param name its process's, for messages and for the contents of its files
   * @param transferBytesMax how much one call may move
   */
  Workplace(
      String name,
      NfsClient client,
      Handle directory,
      long seed,
      PlaySettings settings,
      int transferBytesMax) {
    this.name = name;
    this.client = client;
    this.directory = directory;
    this.seed = seed;
    this.settings = settings;
    this.transferBytesMax = transferBytesMax;
  }

  NfsClient client() {
    return client;
  }

  Handle directory() {
    return directory;
  }

  /** Makes a file to be read or written on and on. */
  FileStream createStream(String fileName, Operation operation, double bytes) throws IOException {
    Handle handle = Answers.await(client.openFile(directory, fileName, FILE_MODE));
    String fullName = "file " + fileName + " of " + name;
    PlayFile file =
        new PlayFile(
            client,
            handle,
            fullName,
            new Contents(Seeds.named(seed, fullName)),
            transferBytesMax,
            settings.verify());
    files.add(file);
    FileStream stream =
        new FileStream(file, operation, (long) Math.min(bytes, (double) settings.fileBytesMax()));
    stream.prepare();
    return stream;
  }

  /** Reads back all that was written here; answers how many bytes that are. */
  long verify() throws IOException {
    long bytes = 0;
    for (PlayFile file : files) {
      file.commit();
      bytes += file.verify();
    }
    return bytes;
  }

  /** Ends the use of all files here. */
  void closeFiles() throws IOException {
    for (PlayFile file : files) {
      file.close();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
