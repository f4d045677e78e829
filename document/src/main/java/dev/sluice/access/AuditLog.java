package dev.sluice.access;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who changed what and when, for good: a line for each change in {@code audit.log}, sealed with the
 * key in {@code audit.key}. Each seal is also over the seal before it.
 *
 * <p>Theorem. Whoever has not the key can neither change a record, nor take one out or put one in
 * between, without {@link #verify} naming the first that does not fit. What he can do is cut off
 * the end: whoever fears that keeps the last seal elsewhere, as in the journal.
 *
 * <p>Its size has a bound: a file that is full is put aside under the number of its first record,
 * the oldest are dropped, and a record says from which on all are kept. Several programs may write
 * to one log. Safe for many threads.
 */
public final class AuditLog implements Audit {
  private static final System.Logger LOG = System.getLogger(AuditLog.class.getName());
  private static final String NAME = "audit.log";
  private static final String KEY = "audit.key";
  private static final String OLDER = "audit-*.log";
  private static final long FILE_BYTES_MAX = 8L << 20;
  private static final int OLDER_KEPT = 9;
  private static final int KEY_BYTES = 32;

  /** Longer than any record. */
  private static final int TAIL_BYTES = 16 << 10;

  private static final String ITSELF = "audit";
  private static final Pattern KEPT_FROM = Pattern.compile("all are kept from record (\\d+) on");
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** A lock on a file keeps other processes out, and this one other threads. */
  private static final Object ONE_AT_A_TIME = new Object();

  private final Path directory;
  private final InstantSource clock;
  private final Consumer<AuditRecord> written;
  private final long fileBytesMax;
  private final int olderKept;
  private volatile @Nullable String trouble;

  /**
   * The log in a directory, where it is made with the first record.
   *
   * @param written told of each record once it is on the disk
   */
  public AuditLog(Path directory, InstantSource clock, Consumer<AuditRecord> written) {
    this(directory, clock, written, FILE_BYTES_MAX, OLDER_KEPT);
  }

  AuditLog(
      Path directory,
      InstantSource clock,
      Consumer<AuditRecord> written,
      long fileBytesMax,
      int olderKept) {
    this.directory = directory;
    this.clock = clock;
    this.written = written;
    this.fileBytesMax = fileBytesMax;
    this.olderKept = olderKept;
  }

  /** The log of a program that runs, which has the last seal in its own log too. */
  public static AuditLog ofService(Path directory) {
    return new AuditLog(
        directory,
        InstantSource.system(),
        record ->
            LOG.log(
                Level.INFO, "audit record " + record.number() + " has the seal " + record.seal()));
  }

  /** Whether somebody has kept one here. */
  public static boolean isIn(Path directory) {
    return Files.exists(directory.resolve(NAME));
  }

  @Override
  public void note(String who, String about, String what) {
    try {
      append(who, about, what);
      trouble = null;
    } catch (IOException e) {
      String problem = directory.resolve(NAME) + ": changes are not noted down: " + e.getMessage();
      if (!problem.equals(trouble)) {
        LOG.log(Level.WARNING, problem);
      }
      trouble = problem;
    }
  }

  @Override
  public @Nullable String trouble() {
    return trouble;
  }

  /** Notes a change down; it is on the disk when this returns. */
  public AuditRecord append(String who, String about, String what) throws IOException {
    synchronized (ONE_AT_A_TIME) {
      Path keyFile = directory.resolve(KEY);
      try (FileChannel locked = open(keyFile);
          FileLock _ = locked.lock()) {
        byte[] key = key(locked, keyFile);
        Path file = directory.resolve(NAME);
        Last last = last(file);
        if (last.tornBytes > 0) {
          last =
              write(
                  file,
                  last,
                  ITSELF,
                  ITSELF,
                  last.tornBytes + " bytes of a record were cut off that was not written whole",
                  key);
        }
        if (Files.exists(file) && Files.size(file) >= fileBytesMax) {
          last = rotate(file, last, key);
        }
        return write(file, last, who, about, what, key).record();
      }
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE),
        PRIVATE);
  }

  /** The key, made where there is none yet; whoever could read it could write what he likes. */
  private static byte[] key(FileChannel locked, Path file) throws IOException {
    requirePrivate(file);
    if (locked.size() == 0) {
      byte[] random = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(random);
      locked.write(
          ByteBuffer.wrap(
              (HexFormat.of().formatHex(random) + "\n").getBytes(StandardCharsets.UTF_8)),
          0);
      locked.force(true);
      return random;
    }
    ByteBuffer text = ByteBuffer.allocate(4 * KEY_BYTES);
    locked.read(text, 0);
    return parseKey(new String(text.array(), 0, text.position(), StandardCharsets.UTF_8), file);
  }

  private static byte[] parseKey(String text, Path file) throws IOException {
    try {
      byte[] key = HexFormat.of().parseHex(text.strip());
      if (key.length == KEY_BYTES) {
        return key;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new IOException(file + ": expected " + 2 * KEY_BYTES + " hexadecimal digits");
  }

  private static void requirePrivate(Path file) throws IOException {
    boolean open =
        Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS).stream()
            .anyMatch(right -> !right.name().startsWith("OWNER_"));
    if (open) {
      throw new IOException(file + ": others may read or write it; expected chmod 600");
    }
  }

  /** The end of the chain: its last record, if there is one, and what was not written whole. */
  private record Last(@Nullable AuditRecord last, long wholeBytes, long tornBytes) {
    static final Last NOTHING = new Last(null, 0, 0);

    AuditRecord record() {
      if (last == null) {
        throw new IllegalStateException("nothing was written");
      }
      return last;
    }
  }

  private Last last(Path file) throws IOException {
    if (Files.exists(file)) {
      return lastOf(file);
    }
    // Whoever put the last one aside may have been killed before he began the next.
    List<Path> older = older();
    return older.isEmpty() ? Last.NOTHING : new Last(lastOf(older.getLast()).last, 0, 0);
  }

  private static Last lastOf(Path file) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long size = in.length();
      byte[] tail = new byte[(int) Math.min(size, TAIL_BYTES)];
      in.seek(size - tail.length);
      in.readFully(tail);
      int whole = tail.length;
      while (whole > 0 && tail[whole - 1] != '\n') {
        whole--;
      }
      AuditRecord last = null;
      for (String line : new String(tail, 0, whole, StandardCharsets.UTF_8).split("\n", -1)) {
        AuditRecord read = AuditRecord.parse(line);
        last = read == null ? last : read;
      }
      long torn = (long) tail.length - whole;
      return new Last(last, size - torn, torn);
    }
  }

  private Last write(Path file, Last last, String who, String about, String what, byte[] key)
      throws IOException {
    AuditRecord before = last.last;
    AuditRecord record =
        AuditRecord.sealed(
            before == null ? 1 : before.number() + 1,
            clock.instant().truncatedTo(ChronoUnit.MILLIS),
            who,
            about,
            what,
            before == null ? AuditRecord.NOTHING_BEFORE : before.seal(),
            key);
    byte[] line = record.line().getBytes(StandardCharsets.UTF_8);
    try (FileChannel out = open(file)) {
      out.truncate(last.wholeBytes);
      ByteBuffer bytes = ByteBuffer.wrap(line);
      long at = last.wholeBytes;
      while (bytes.hasRemaining()) {
        at += out.write(bytes, at);
      }
      out.force(true);
    }
    written.accept(record);
    return new Last(record, last.wholeBytes + line.length, 0);
  }

  private Last rotate(Path file, Last last, byte[] key) throws IOException {
    Files.move(
        file,
        directory.resolve("audit-" + firstNumber(file) + ".log"),
        StandardCopyOption.ATOMIC_MOVE);
    List<Path> older = older();
    int dropped = Math.max(0, older.size() - olderKept);
    // Said before it is done: that more is there than was said is no flaw.
    Last now =
        write(
            file,
            new Last(last.last, 0, 0),
            ITSELF,
            ITSELF,
            "a new file; all are kept from record " + numberOf(older.get(dropped)) + " on",
            key);
    for (Path old : older.subList(0, dropped)) {
      Files.delete(old);
    }
    return now;
  }

  private static long firstNumber(Path file) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file)) {
      String line = in.readLine();
      AuditRecord first = line == null ? null : AuditRecord.parse(line);
      return first == null ? 0 : first.number();
    }
  }

  private static long numberOf(Path older) {
    String name = String.valueOf(older.getFileName());
    try {
      return Long.parseLong(name.substring("audit-".length(), name.length() - ".log".length()));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** The files that were put aside, the oldest first. */
  private List<Path> older() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file ->
              directory.getFileSystem().getPathMatcher("glob:" + OLDER).matches(file.getFileName()))
          .sorted(Comparator.comparingLong(AuditLog::numberOf))
          .toList();
    }
  }

  /**
   * What came of looking at all records.
   *
   * @param records how many there are
   * @param first the number of the first that is kept
   * @param flaw where the first one is that does not fit, and why; null where all fit
   * @param sealsSeen whether the key was there to look at the seals with, or only their chain was
   */
  public record Verdict(long records, long first, @Nullable String flaw, boolean sealsSeen) {}

  /**
   * Looks at all records whether they fit.
   *
   * @param each told of every record that could be read, also of those that do not fit
   */
  public Verdict verify(Consumer<AuditRecord> each) throws IOException {
    byte[] key = null;
    Path keyFile = directory.resolve(KEY);
    try {
      key = parseKey(Files.readString(keyFile), keyFile);
    } catch (NoSuchFileException e) {
      // The chain can be looked at without.
    }
    Verification verification = new Verification(key, each);
    synchronized (ONE_AT_A_TIME) {
      for (Path file : older()) {
        verification.read(file);
      }
      Path file = directory.resolve(NAME);
      if (Files.exists(file)) {
        verification.read(file);
      }
    }
    return verification.verdict();
  }

  private static final class Verification {
    private final byte @Nullable [] key;
    private final Consumer<AuditRecord> each;
    private @Nullable AuditRecord before;
    private long records;
    private long first = 1;
    private long keptFrom = 1;
    private @Nullable String flaw;

    Verification(byte @Nullable [] key, Consumer<AuditRecord> each) {
      this.key = key;
      this.each = each;
    }

    void read(Path file) throws IOException {
      try (BufferedReader in = Files.newBufferedReader(file)) {
        long number = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          number++;
          look(line, file + ":" + number);
        }
      }
    }

    private void look(String line, String place) {
      AuditRecord record = AuditRecord.parse(line);
      String wrong = record == null ? "this is no record" : wrong(record);
      if (wrong != null && flaw == null) {
        flaw = place + ": " + (record == null ? "" : "record " + record.number() + ": ") + wrong;
      }
      if (record == null) {
        return;
      }
      records++;
      if (records == 1) {
        first = record.number();
      }
      Matcher kept = KEPT_FROM.matcher(record.what());
      if (record.about().equals(ITSELF) && kept.find()) {
        keptFrom = Long.parseLong(kept.group(1));
      }
      before = record;
      each.accept(record);
    }

    private @Nullable String wrong(AuditRecord record) {
      if (key != null && !record.isSealedWith(key)) {
        return "its seal does not fit: it was changed, or written without the key";
      }
      if (before == null) {
        boolean begins = record.before().equals(AuditRecord.NOTHING_BEFORE);
        return record.number() == 1 && !begins ? "expected nothing before the first record" : null;
      }
      if (record.number() != before.number() + 1) {
        return "it comes after record " + before.number() + "; expected " + (before.number() + 1);
      }
      return record.before().equals(before.seal())
          ? null
          : "it does not follow on record " + before.number() + " as that is now";
    }

    Verdict verdict() {
      String missing =
          records > 0 && first > keptFrom
              ? "records " + keptFrom + " to " + (first - 1) + " are missing"
              : null;
      return new Verdict(records, first, missing == null ? flaw : missing, key != null);
    }
  }
}
