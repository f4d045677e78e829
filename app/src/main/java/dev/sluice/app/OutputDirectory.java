package dev.sluice.app;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A directory that a command writes its files to, whole or not at all: they are written under other
 * names first and get their own when all are complete.
 */
public final class OutputDirectory {
  private final String name;
  private final Path directory;
  private final Map<Path, Path> waiting = new LinkedHashMap<>();
  private final List<String> files = new ArrayList<>();
  private boolean closed;
  private boolean published;

  /** Writes a file's text. */
  @FunctionalInterface
  public interface Content {
    void writeTo(Appendable out) throws IOException;
  }

  private OutputDirectory(String name, Path directory) {
    this.name = name;
    this.directory = directory;
  }

  /** The directory, made if it is missing, and known to take files: better now than after hours. */
  public static OutputDirectory at(String name) {
    try {
      Path directory = Path.of(name);
      Files.createDirectories(directory);
      Files.delete(Files.createTempFile(directory, ".sluice-", ".tmp"));
      return new OutputDirectory(name, directory);
    } catch (FileAlreadyExistsException e) {
      throw new FailedException(name + ": expected a directory, but a file has this name", e);
    } catch (IOException | InvalidPathException e) {
      throw new FailedException(name + ": cannot write here: " + reason(e), e);
    }
  }

  /** Writes a file under a temporary name. */
  public synchronized void write(String file, Content content) {
    if (closed) {
      return;
    }
    Path target = directory.resolve(file);
    Path temporary = directory.resolve("." + file + "." + ProcessHandle.current().pid() + ".tmp");
    waiting.put(temporary, target);
    try (BufferedWriter out = Files.newBufferedWriter(temporary, StandardCharsets.UTF_8)) {
      content.writeTo(out);
    } catch (IOException e) {
      abandon();
      throw new FailedException(target + ": cannot be written: " + reason(e), e);
    }
  }

  /** Gives all files their names. */
  public synchronized void publish() {
    if (closed) {
      return;
    }
    try {
      for (Map.Entry<Path, Path> file : waiting.entrySet()) {
        Files.move(file.getKey(), file.getValue(), StandardCopyOption.REPLACE_EXISTING);
        files.add(String.valueOf(file.getValue().getFileName()));
      }
      waiting.clear();
      published = true;
    } catch (IOException e) {
      abandon();
      throw new FailedException(name + ": cannot name the files: " + reason(e), e);
    }
  }

  /** Whether the files have their names. */
  public synchronized boolean isPublished() {
    return published;
  }

  /** Which files were published, in a line for people. */
  public synchronized String summary() {
    return "Files in " + name + ": " + String.join(", ", files);
  }

  /** Takes away what has no name yet and accepts nothing more. */
  public synchronized void abandon() {
    closed = true;
    for (Path temporary : waiting.keySet()) {
      try {
        Files.deleteIfExists(temporary);
      } catch (IOException e) {
        // It stays behind under a name that says what it is; there is nothing better to do.
      }
    }
    waiting.clear();
  }

  private static String reason(Exception e) {
    return switch (e) {
      case AccessDeniedException denied -> "permission denied";
      case NoSuchFileException missing -> "no such directory, and none can be made";
      case FileSystemException file when file.getReason() != null ->
          String.valueOf(file.getReason());
      default -> String.valueOf(e.getMessage());
    };
  }
}
