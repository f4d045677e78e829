package dev.sluice.load.client;

import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What NFS can do as calls that overlap, in whichever version: each answers at once with what will
 * be known later, and fails with an {@link NfsException} where the server refuses. One that the
 * server tells to come later is made anew, as often as it takes.
 *
 * <p>Whatever is chained to an answer runs on the thread that takes all answers in: it must be
 * quick and must not call.
 */
public interface NfsClient extends AutoCloseable {
  /** Connects over NFSv3, alone; {@link ClientTimes} says what patience is for. */
  static NfsClient connect(InetSocketAddress server, Credential caller, Duration patience)
      throws IOException {
    return connect(NfsVersion.V3, server, caller, patience);
  }

  /** Connects, alone; {@link ClientTimes} says what patience is for. */
  static NfsClient connect(
      NfsVersion version, InetSocketAddress server, Credential caller, Duration patience)
      throws IOException {
    return NodeConnection.open(version, server, 1, ClientTimes.asLinux(patience)).as(caller);
  }

  /**
   * What a write did.
   *
   * @param count how many bytes of those sent
   * @param verifier differs from an earlier one when the server may have lost what was unstable
   */
  public record Written(int count, StableHow stability, long verifier) {}

  /** What a read found. */
  public record Read(int count, boolean endOfFile) {}

  /** How much a server wants in one call, and takes at most. */
  public record Limits(int readMax, int readPreferred, int writeMax, int writePreferred) {}

  /** A name in a directory. */
  public record Entry(String name, long fileId, long cookie) {}

  /**
   * A part of a directory.
   *
   * @param verifier to be given back with the last entry's cookie to get the next part
   */
  public record Page(List<Entry> entries, long verifier, boolean last) {
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /** Asks nothing: whether somebody answers. */
  CompletableFuture<Boolean> ping();

  CompletableFuture<FileAttributes> attributes(Handle file);

  /** Cuts a file off, or makes it longer. */
  CompletableFuture<Boolean> setSize(Handle file, long size);

  /** Sets a file's permission bits. */
  CompletableFuture<Boolean> setMode(Handle file, int mode);

  CompletableFuture<Handle> lookup(Handle directory, String name);

  /** Which of the wanted permissions (ACCESS3_*) the caller has. */
  CompletableFuture<Integer> access(Handle file, int wanted);

  CompletableFuture<String> readLink(Handle link);

  /**
   * Makes a file, or takes the one that is there, to be read and written by the handle that this
   * gives until it is {@link #closeFile closed}.
   */
  CompletableFuture<Handle> openFile(Handle directory, String name, int mode);

  /** Ends the use of a file that was opened. */
  CompletableFuture<Boolean> closeFile(Handle file);

  /**
   * What a program that opens a file and does nothing with it asks of the server, in one call:
   * ACCESS in version 3, which neither opens nor closes, OPEN and CLOSE in version 4.
   */
  CompletableFuture<Boolean> tryOpen(Handle directory, String name, Handle file);

  /** Reads; the sink sees the bytes before the answer is known to the caller. */
  CompletableFuture<Read> read(Handle file, long offset, int count, DataSink sink);

  CompletableFuture<Written> write(Handle file, long offset, Payload payload, StableHow stability);

  /** Makes all that was written to the file stable; answers the server's write verifier. */
  CompletableFuture<Long> commit(Handle file);

  /** Makes a file, or takes the one that is there. */
  CompletableFuture<Handle> create(Handle directory, String name, int mode);

  CompletableFuture<Handle> makeDirectory(Handle directory, String name, int mode);

  CompletableFuture<Handle> makeSymbolicLink(Handle directory, String name, String path);

  CompletableFuture<Handle> makeNamedPipe(Handle directory, String name, int mode);

  CompletableFuture<Boolean> remove(Handle directory, String name);

  CompletableFuture<Boolean> removeDirectory(Handle directory, String name);

  CompletableFuture<Boolean> rename(
      Handle fromDirectory, String from, Handle toDirectory, String to);

  /** Gives a file one more name. */
  CompletableFuture<Boolean> link(Handle file, Handle directory, String name);

  /** The names from a cookie on, 0 for the beginning. */
  CompletableFuture<Page> list(Handle directory, long cookie, long verifier, int bytes);

  /** The names from a cookie on, 0 for the beginning, with what the server tells of each file. */
  CompletableFuture<Page> listWithAttributes(
      Handle directory, long cookie, long verifier, int bytes);

  /** Whether there is room on the file system; the figures interest nobody here. */
  CompletableFuture<Boolean> fileSystemStatus(Handle root);

  CompletableFuture<Limits> limits(Handle root);

  /** How many times it has connected: more than once when the server went away in between. */
  int connections();

  /** Ends the connections, for all who share them. */
  @Override
  void close();
}
