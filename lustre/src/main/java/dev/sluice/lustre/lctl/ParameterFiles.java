package dev.sluice.lustre.lctl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parameters of a server from the files that they are, where these are there and may be
 * read, and spares a program for each look. Whatever is not there, cannot be read or is to be
 * written is left to {@code lctl}. Not thread-safe.
 */
public final class ParameterFiles implements Lctl {
  private static final int BUFFER_BYTES = 1 << 16;

  /** Longer than the longest period; then its thread ends, so that none is left behind. */
  private static final long READER_REST_SECONDS = 90;

  /** Where servers of 2.12 and later have what a service shows, and what targets counted. */
  private static final List<String> ROOTS = List.of("sys/kernel/debug/lustre", "proc/fs/lustre");

  private final Lctl lctl;
  private final Path root;
  private final long patienceNanos;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  /** One thread, while it is needed: another for each look would begin with cold caches. */
  private final ThreadPoolExecutor reader;

  /**
   * A reading that did not end in time, and may hold a thread for ever; null where there is none.
   */
  private @Nullable Future<Boolean> stuck;

  /**
   * @param root the root directory, but for tests
   */
  public ParameterFiles(Lctl lctl, Path root, long patienceNanos) {
    this.lctl = lctl;
    this.root = root;
    this.patienceNanos = patienceNanos;
    this.reader =
        new ThreadPoolExecutor(
            1,
            1,
            READER_REST_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("lustre-files").factory());
    reader.allowCoreThreadTimeOut(true);
  }

  @Override
  public Outcome run(List<String> arguments, Output output)
      throws IOException, InterruptedException {
    if (arguments.getFirst().equals("get_param")) {
      boolean named = !arguments.get(1).equals("-n");
      List<String> parameters = arguments.subList(named ? 1 : 2, arguments.size());
      List<Path> files = files(parameters);
      if (hasRead(String.join(" ", parameters), files, named, output)) {
        return new Outcome(0, "");
      }
    }
    return lctl.run(arguments, output);
  }

  /** The files of parameters, in order; none where one of them cannot be found. */
  private List<Path> files(List<String> parameters) {
    List<Path> all = new ArrayList<>();
    for (String parameter : parameters) {
      List<Path> found = new ArrayList<>();
      for (String place : ROOTS) {
        if (found.isEmpty()) {
          collect(root.resolve(place), parameter.split("\\.", -1), 0, found);
        }
      }
      if (found.isEmpty()) {
        return List.of();
      }
      found.sort(null);
      all.addAll(found);
    }
    return all;
  }

  private static void collect(Path directory, String[] parts, int depth, List<Path> found) {
    if (depth == parts.length) {
      if (Files.isRegularFile(directory) && Files.isReadable(directory)) {
        found.add(directory);
      }
    } else if (!parts[depth].equals("*")) {
      collect(directory.resolve(parts[depth]), parts, depth + 1, found);
    } else {
      try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
        children.forEach(child -> collect(child, parts, depth + 1, found));
      } catch (IOException e) {
        // Not there, or not for us: lctl may know more.
      }
    }
  }

  /**
   * Reads files to their ends, on a thread of its own: one that hangs in the kernel is left to
   * itself, and until it is back nothing more is read so.
   *
   * @return whether all was read and handed on; nothing was handed on where it was not
   */
  private boolean hasRead(String parameter, List<Path> files, boolean named, Output output)
      throws IOException, InterruptedException {
    if (files.isEmpty()) {
      return false;
    }
    Future<Boolean> before = stuck;
    if (before != null && !before.isDone()) {
      throw new IOException(parameter + ": still being read");
    }
    stuck = null;
    Future<Boolean> reading = reader.submit(() -> read(files, named, output));
    try {
      return reading.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      stuck = reading;
      throw new IOException(
          parameter
              + " could not be read within "
              + TimeUnit.NANOSECONDS.toSeconds(patienceNanos)
              + " s",
          e);
    } catch (ExecutionException e) {
      throw new IOException(parameter + ": " + e.getCause(), e);
    }
  }

  private boolean read(List<Path> files, boolean named, Output output) throws IOException {
    boolean begun = false;
    for (Path file : files) {
      try (InputStream in = Files.newInputStream(file)) {
        int count = in.read(buffer);
        if (named) {
          byte[] header = header(file);
          output.accept(header, header.length);
          begun = true;
        }
        for (; count >= 0; count = in.read(buffer)) {
          output.accept(buffer, count);
          begun = true;
        }
      } catch (IOException e) {
        if (begun) {
          throw e;
        }
        return false;
      }
    }
    return true;
  }

  private byte[] header(Path file) {
    Path relative = root.relativize(file);
    for (String place : ROOTS) {
      if (relative.startsWith(place)) {
        relative = Path.of(place).relativize(relative);
      }
    }
    String parameter = relative.toString().replace('/', '.');
    return (parameter + "=\n").getBytes(StandardCharsets.ISO_8859_1);
  }
}
