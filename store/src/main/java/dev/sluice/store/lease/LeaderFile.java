package dev.sluice.store.lease;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A leader in a file of one line, {@code leader 5 3f0c…}. A crash at any moment leaves the last one
 * that was kept or the one before it, on disk and not only in its cache: what was forced there is
 * put in the place of the other by its name.
 */
public final class LeaderFile implements LeaderMemory {
  private static final Pattern LINE = Pattern.compile("leader (\\d{1,18}) ([0-9a-f]{16})\n");
  private static final int LENGTH_MAX = 64;

  private final Path file;

  public LeaderFile(Path file) {
    this.file = file;
  }

  @Override
  public Leader load() throws IOException {
    String text;
    try (FileChannel channel = FileChannel.open(file, READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(LENGTH_MAX);
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // Until it is full or the file ends.
      }
      text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return Leader.NOBODY;
    }
    Matcher line = LINE.matcher(text);
    if (!line.matches()) {
      throw new IOException(
          file + ": \"" + text.strip() + "\"; expected a line such as leader 5 00000000000000ff");
    }
    return new Leader(Long.parseLong(line.group(1)), HexFormat.fromHexDigitsToLong(line.group(2)));
  }

  @Override
  public void save(Leader leader) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    Path draft = file.resolveSibling("." + file.getFileName() + ".new");
    String line =
        "leader " + leader.epoch() + " " + HexFormat.of().toHexDigits(leader.mark()) + "\n";
    try (FileChannel channel = FileChannel.open(draft, CREATE, WRITE, TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.ISO_8859_1));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(draft, file, ATOMIC_MOVE, REPLACE_EXISTING);
    if (directory != null) {
      // The name is in the directory, which is on disk no sooner than it is forced there.
      try (FileChannel names = FileChannel.open(directory, READ)) {
        names.force(true);
      }
    }
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
