package dev.sluice.lustre.control;

import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.tbf.RuleName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What must be undone, on disk before it is done: the names of our rules, and the policy that was
 * there before the filter. Whoever comes after a crash finds it and knows what is ours. Only one
 * program at a time has it. Not thread-safe.
 *
 * <pre>
 * sluice-lustre 1
 * service ost_io
 * policy fifo
 * rule sl_4711
 * </pre>
 */
public final class Journal implements AutoCloseable {
  private static final String FILE = "journal";
  private static final String LOCK = "lock";
  private static final String HEAD = "sluice-lustre 1";
  private static final String SERVICE = "service ";
  private static final String POLICY = "policy ";
  private static final String RULE = "rule ";

  /** So many names of rules that are gone may stand in the file before it is written anew. */
  private static final int STALE_MAX = 10_000;

  private final Path file;
  private final FileChannel lock;
  private final LustreService service;
  private final Set<String> names = new LinkedHashSet<>();
  private @Nullable String formerPolicy;
  private @Nullable FileChannel channel;

  private Journal(Path file, FileChannel lock, LustreService service) {
    this.file = file;
    this.lock = lock;
    this.service = service;
  }

  /** Opens the journal in a directory, which is made if need be, and reads what is left in it. */
  public static Journal open(Path directory, LustreService service)
      throws IOException, RefusedException {
    Files.createDirectories(directory);
    Path lockFile = directory.resolve(LOCK);
    FileChannel lock =
        FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (!locked(lock)) {
        throw new RefusedException(
            lockFile + ": another sluice lustre looks after this service; stop it first");
      }
      Journal journal = new Journal(directory.resolve(FILE), lock, service);
      journal.read();
      return journal;
    } catch (IOException | RefusedException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private void read() throws IOException, RefusedException {
    if (!Files.exists(file)) {
      return;
    }
    String text = Files.readString(file, StandardCharsets.US_ASCII);
    // A line without its end was being written when the program died: its rule was not made yet.
    List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    if (lines.size() < 2 || !lines.getFirst().equals(HEAD)) {
      throw new RefusedException(file + ": line 1: expected \"" + HEAD + "\"");
    }
    if (!lines.get(1).equals(SERVICE + service.text())) {
      throw new RefusedException(
          file
              + ": line 2: \""
              + lines.get(1)
              + "\": expected \""
              + SERVICE
              + service.text()
              + "\"; another service has a state directory of its own");
    }
    for (int i = 2; i < lines.size(); i++) {
      readLine(lines.get(i), i + 1);
    }
  }

  private void readLine(String line, int number) throws RefusedException {
    if (line.startsWith(RULE) && RuleName.isName(line.substring(RULE.length()))) {
      names.add(line.substring(RULE.length()));
    } else if (line.startsWith(POLICY)) {
      formerPolicy = line.substring(POLICY.length());
    } else {
      throw new RefusedException(
          file + ": line " + number + ": \"" + line + "\": expected a rule or a policy");
    }
  }

  /** The names of rules that were ours and may still be there. */
  public Set<String> names() {
    return Set.copyOf(names);
  }

  /** The policy that was there before we turned the filter on; null where we did not. */
  public @Nullable String formerPolicy() {
    return formerPolicy;
  }

  /** Whether there is anything to undo. */
  public boolean isEmpty() {
    return names.isEmpty() && formerPolicy == null;
  }

  /** The policy will be another one: this is what it is now. */
  void willSwitch(String policyNow) throws IOException {
    formerPolicy = policyNow;
    rewrite();
  }

  /** Rules with these names will be made. */
  void willStart(Collection<String> newNames) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String name : newNames) {
      if (names.add(name)) {
        lines.append(RULE).append(name).append('\n');
      }
    }
    if (lines.isEmpty()) {
      return;
    }
    FileChannel open = channel;
    if (open == null) {
      rewrite();
    } else {
      write(open, lines.toString());
    }
  }

  /** Forgets names that are needed no more, when they have become many. */
  void compact(Collection<String> needed) throws IOException {
    if (names.size() > needed.size() + STALE_MAX) {
      names.retainAll(Set.copyOf(needed));
      rewrite();
    }
  }

  private void rewrite() throws IOException {
    closeChannel();
    StringBuilder text = new StringBuilder();
    text.append(HEAD).append('\n').append(SERVICE).append(service.text()).append('\n');
    if (formerPolicy != null) {
      text.append(POLICY).append(formerPolicy).append('\n');
    }
    names.forEach(name -> text.append(RULE).append(name).append('\n'));
    Path fresh = file.resolveSibling(FILE + ".new");
    try (FileChannel out =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      write(out, text.toString());
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    forceDirectory();
    channel = FileChannel.open(file, StandardOpenOption.APPEND);
  }

  private static void write(FileChannel out, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
    out.force(false);
  }

  /** A name counts once its directory is on disk, too. */
  private void forceDirectory() throws IOException {
    Path directory = file.getParent();
    if (directory != null) {
      try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
        opened.force(true);
      }
    }
  }

  /** All is undone. */
  void clear() throws IOException {
    closeChannel();
    names.clear();
    formerPolicy = null;
    Files.deleteIfExists(file);
    forceDirectory();
  }

  private void closeChannel() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() throws IOException {
    closeChannel();
    lock.close();
  }
}
