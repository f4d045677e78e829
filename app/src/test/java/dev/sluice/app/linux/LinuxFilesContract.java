package dev.sluice.app.linux;

import dev.sluice.testkit.EnduranceScale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the Linux kernel's client finds behind a mount is a file system as POSIX describes it, and
 * programs that people use work on it. Guests try all at the same time, on directories of their
 * own: nothing here is timed.
 *
 * <p>Where there are several versions, one guest asks all of them what POSIX promises. Programs,
 * which take the longest and do nothing that was not asked then, use the first alone in the gate.
 */
@Timeout(900)
@TestInstance(Lifecycle.PER_CLASS)
abstract class LinuxFilesContract {
  /** Far more than one answer to a listing holds. */
  static final int ENTRIES = EnduranceScale.of(10_000, 100_000);

  static final int POSIX_CHECKS = 49;
  private static final int PROGRAMS = 6;
  private static final int POSIX_GUEST = 1;
  private static final int FIRST_PROGRAMS_GUEST = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(6);

  private final List<String> mountOptions;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final List<LinuxGuest.Script> posix = new ArrayList<>();
  private final List<LinuxGuest.Script> programs = new ArrayList<>();

  /**
   * @param mountOptions with which to mount, one for each version
   */
  LinuxFilesContract(String... mountOptions) {
    this.mountOptions = List.of(mountOptions);
  }

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    int versionsOfPrograms = EnduranceScale.of(1, mountOptions.size());
    int furtherGuest = FIRST_PROGRAMS_GUEST + versionsOfPrograms;
    Path forPosix = Files.createDirectory(directory.resolve("posix"));
    Path forPrograms = Files.createDirectory(directory.resolve("programs"));
    StringBuilder exports = new StringBuilder();
    for (int version = 0; version < mountOptions.size(); version++) {
      Path own = Files.createDirectory(forPosix.resolve("" + version));
      makeManyEntries(own);
      exports.append(
          """
            /export-%1$d: {directory: %2$s, squash: none, clients: [%4$s]}
            /read-only-%1$d: {directory: %2$s, read-only: true, squash: none, clients: [%4$s]}
            /squashed-%1$d: {directory: %2$s, clients: [%4$s]}
            /programs-%1$d: {directory: %3$s, squash: none, clients: [%4$s]}
          """
              .formatted(
                  version,
                  own,
                  Files.createDirectory(forPrograms.resolve("" + version)),
                  GuestNetwork.everybody()));
    }
    GuestNetwork network = GuestNetwork.make(furtherGuest);
    parts.push(network);
    parts.push(
        GuestGateway.start(
            network,
            directory.resolve("gateway"),
            "nfs4: true\ntargets: {disk: {capacity: auto}}\nexports:\n" + exports));
    LinuxGuest asking = boot(network, POSIX_GUEST, directory, forPosix, "384M");
    for (int version = 0; version < mountOptions.size(); version++) {
      posix.add(
          asking
              .mountingWith(mountOptions.get(version))
              .begin(
                  """
                  set -e
                  mount_export /export-%1$d /mnt/export-%1$d
                  mount_export /read-only-%1$d /mnt/read-only-%1$d nosharecache
                  mount_export /squashed-%1$d /mnt/export-%1$d-squashed nosharecache
                  mount_export /export-%1$d /mnt/export-%1$d-ro ro,nosharecache
                  echo "ok mounts_as_the_documents_say"
                  SERVER=/run/server/%1$d python3 /run/guest/posix.py \
                    /mnt/export-%1$d /mnt/read-only-%1$d
                  """
                      .formatted(version)));
    }
    for (int version = 0; version < versionsOfPrograms; version++) {
      programs.add(
          boot(network, FIRST_PROGRAMS_GUEST + version, directory, forPrograms, "768M")
              .mountingWith(mountOptions.get(version))
              .begin(
                  """
                  mount_export /programs-%d /mnt/export || exit
                  bash /run/guest/programs.sh /mnt/export
                  """
                      .formatted(version)));
    }
    startMore(network, furtherGuest, directory);
  }

  /**
   * Starts what a test of some version needs beside.
   *
   * @param guest the number of one more guest that it may boot
   */
  void startMore(GuestNetwork network, int guest, Path directory) throws Exception {}

  final LinuxGuest boot(GuestNetwork network, int number, Path directory, Path see, String memory)
      throws Exception {
    Path own = directory.resolve("guest-" + number);
    LinuxGuest guest = LinuxGuest.boot(network, number, own, see, memory);
    parts.push(guest);
    return guest;
  }

  /** On the server: that many creations take a guest minutes. */
  private static void makeManyEntries(Path export) throws IOException {
    Path many = Files.createDirectory(export.resolve("many"));
    for (int i = 0; i < ENTRIES; i++) {
      Files.createFile(many.resolve("entry-" + i));
    }
    Files.writeString(export.resolve("many-count"), Integer.toString(ENTRIES));
  }

  @AfterAll
  void end() throws Exception {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }

  @TestFactory
  List<DynamicContainer> keepsWhatPosixPromises() throws Exception {
    return checks(posix, POSIX_CHECKS);
  }

  @TestFactory
  List<DynamicContainer> programsWork() throws Exception {
    return checks(programs, PROGRAMS);
  }

  /** What came of all that was tried. */
  final List<LinuxGuest.Result> results() throws Exception {
    List<LinuxGuest.Result> results = new ArrayList<>();
    for (LinuxGuest.Script script : posix) {
      results.add(script.await(PATIENCE));
    }
    for (LinuxGuest.Script script : programs) {
      results.add(script.await(PATIENCE));
    }
    return results;
  }

  private List<DynamicContainer> checks(List<LinuxGuest.Script> scripts, int least)
      throws Exception {
    List<DynamicContainer> all = new ArrayList<>();
    for (int version = 0; version < scripts.size(); version++) {
      LinuxGuest.Result result = scripts.get(version).await(PATIENCE);
      System.out.println(mountOptions.get(version) + ":\n" + result.output());
      all.add(
          DynamicContainer.dynamicContainer(
              mountOptions.get(version), GuestChecks.of(result, least)));
    }
    return all;
  }
}
