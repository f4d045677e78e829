package dev.sluice.ledger.states;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.sluice.core.policy.StateText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * States in files, one for each policy and target, in a directory that only we write. Epochs do not
 * count: whoever has the directory is alone with it.
 *
 * <p>A file is put in the place of the one before by its name, so that a process that is killed
 * leaves one of the two. Nothing is forced to disk: a machine that loses power may leave less, and
 * what is damaged is found out by the text's checksum.
 */
public final class FileStates implements StateStore {
  /** Far longer than any policy wants to know what it knew. */
  private static final Duration FORGOTTEN = Duration.ofDays(60);

  private static final String ENDING = ".state";
  private static final String UNREADABLE = ".unreadable";
  private static final String PLAIN =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  private static final int NAME_LENGTH_MAX = 150;

  private final Path directory;

  /** States in a directory, which is made when there is something to keep. */
  public FileStates(Path directory) {
    this.directory = directory;
    forgetOld();
  }

  /** Targets that are gone leave files behind; nobody asks for them any more. */
  private void forgetOld() {
    try (Stream<Path> files = Files.list(directory)) {
      Instant old = Instant.now().minus(FORGOTTEN);
      for (Path file : files.toList()) {
        if (Files.isRegularFile(file)
            && Files.getLastModifiedTime(file).toInstant().isBefore(old)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      // There is none yet; or whoever writes there next will say what is wrong.
    }
  }

  private Path file(StateKey key) {
    return directory.resolve(name(key.policy()) + "@" + name(key.about()) + ENDING);
  }

  /** A name for a file: letters and digits as they are, the rest as numbers; long ones hashed. */
  private static String name(String text) {
    StringBuilder name = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xff);
      if (PLAIN.indexOf(c) >= 0) {
        name.append(c);
      } else {
        name.append('%').append(HexFormat.of().toHexDigits(each));
      }
    }
    return name.length() <= NAME_LENGTH_MAX
        ? name.toString()
        : name.substring(0, NAME_LENGTH_MAX / 2) + "%" + hash(text);
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  @Override
  public synchronized @Nullable String load(StateKey key, long epoch) throws IOException {
    Path file = file(key);
    try {
      if (Files.size(file) > StateText.LENGTH_MAX) {
        // Refused by whoever reads it, as what was cut short.
        return "";
      }
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public synchronized boolean save(StateKey key, String text, long epoch) throws IOException {
    Path file = file(key);
    Path draft = file.resolveSibling("." + file.getFileName() + ".new");
    Files.createDirectories(directory);
    Files.writeString(draft, text, StandardCharsets.ISO_8859_1);
    Files.move(draft, file, ATOMIC_MOVE, REPLACE_EXISTING);
    return true;
  }

  @Override
  public synchronized String setAside(StateKey key) throws IOException {
    Path file = file(key);
    Path aside = file.resolveSibling(file.getFileName() + UNREADABLE);
    Files.move(file, aside, ATOMIC_MOVE, REPLACE_EXISTING);
    return aside.toString();
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
