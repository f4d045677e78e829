package dev.sluice.store.lease;

import dev.sluice.store.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The row of a lease in a directory that several machines see: each state of it that ever was is a
 * symbolic link, whose name is a number, one more than that of the state before, and whose target
 * is the row. To make a link is one step that succeeds for one alone, on every file system that
 * machines share, and leaves no lock behind: so whoever is stopped in the midst of it keeps nobody
 * waiting.
 *
 * <p>Links of long ago are removed. Somebody who sees an old state for the present one, because its
 * machine remembers the directory as it was, does not get the next number as long as that link is
 * there, and finds afterwards that there are higher ones.
 *
 * <p>Not thread-safe.
 */
final class LeaseDirectory implements LeaseRows {
  /** How many states are kept: more than a holder makes in several leases. */
  private static final int KEPT = 128;

  private static final Pattern NAME = Pattern.compile("[1-9][0-9]{0,17}");
  private static final Pattern ROW =
      Pattern.compile("(?<epoch>[0-9]{1,18}):(?<renewals>[0-9]{1,18}):(?<holder>.*)");

  private final Path directory;
  private final Predicate<String> isDead;
  private LeaseRow last = LeaseRow.INITIAL;

  /** The number of {@link #last}; 0 where there was no link. */
  private long lastNumber;

  /**
   * @param isDead whether a holder is known for certain to act no more: then its lease is given
   *     back for it
   */
  LeaseDirectory(Path directory, Predicate<String> isDead) {
    this.directory = directory;
    this.isDead = isDead;
  }

  @Override
  public LeaseRow read() {
    try {
      lastNumber = newest();
      last = lastNumber == 0 ? LeaseRow.INITIAL : row(lastNumber);
      if (!last.isFree() && isDead.test(last.holder())) {
        replace(last, last.givenBack());
      }
      return last;
    } catch (IOException | DirectoryIteratorException e) {
      throw new StoreException(directory, "the lease cannot be read: " + e, e);
    }
  }

  @Override
  public boolean replace(LeaseRow expected, LeaseRow by) {
    if (!expected.equals(last)) {
      return false;
    }
    try {
      Files.createSymbolicLink(link(lastNumber + 1), Path.of(text(by)));
      if (newest() > lastNumber + 1) {
        return false;
      }
    } catch (FileAlreadyExistsException somebodyWasFaster) {
      return false;
    } catch (IOException | DirectoryIteratorException e) {
      throw new StoreException(directory, "the lease cannot be written: " + e, e);
    }
    last = by;
    lastNumber++;
    return true;
  }

  /** The highest number, and on the way removes what is of long ago. */
  private long newest() throws IOException {
    long newest = 0;
    try (DirectoryStream<Path> links = Files.newDirectoryStream(directory)) {
      for (Path link : links) {
        String name = link.getFileName().toString();
        if (NAME.matcher(name).matches()) {
          long number = Long.parseLong(name);
          newest = Math.max(newest, number);
          if (number <= lastNumber - KEPT) {
            Files.deleteIfExists(link);
          }
        }
      }
    }
    return newest;
  }

  private LeaseRow row(long number) throws IOException {
    String text;
    try {
      text = Files.readSymbolicLink(link(number)).toString();
    } catch (NoSuchFileException e) {
      throw new IOException("state " + number + " was removed meanwhile", e);
    }
    Matcher parts = ROW.matcher(text);
    if (!parts.matches()) {
      throw new IOException(
          link(number) + " leads to \"" + text + "\", expected EPOCH:RENEWALS:HOLDER");
    }
    return new LeaseRow(
        Long.parseLong(parts.group("epoch")),
        parts.group("holder"),
        Long.parseLong(parts.group("renewals")));
  }

  private static String text(LeaseRow row) {
    return row.epoch() + ":" + row.renewals() + ":" + row.holder();
  }

  private Path link(long number) {
    return directory.resolve(Long.toString(number));
  }

  /** Nothing is open. */
  @Override
  public void close() {}
}
