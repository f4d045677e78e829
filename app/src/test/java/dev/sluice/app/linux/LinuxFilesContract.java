package dev.sluice.app.linux;

import dev.sluice.testkit.EnduranceScale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the Linux kernel's client finds behind a mount is a file system as POSIX describes it, and
 * programs that people use work on it. Two guests try both at the same time, on directories of
 * their own: nothing here is timed.
 */
@Timeout(900)
@TestInstance(Lifecycle.PER_CLASS)
abstract class LinuxFilesContract {
  /** Far more than one answer to a listing holds. */
  private static final int ENTRIES = EnduranceScale.of(10_000, 100_000);

  private static final int POSIX_CHECKS = 46;
  private static final int PROGRAMS = 6;

  private final String mountOptions;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private LinuxGuest.Script posix;
  private LinuxGuest.Script programs;

  LinuxFilesContract(String mountOptions) {
    this.mountOptions = mountOptions;
  }

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    Path forPosix = Files.createDirectory(directory.resolve("posix"));
    Path forPrograms = Files.createDirectory(directory.resolve("programs"));
    makeManyEntries(forPosix);
    String configuration =
        """
        nfs4: true
        targets: {disk: {capacity: measure}}
        exports:
          /export: {directory: %1$s, squash: none, clients: [%3$s]}
          /read-only: {directory: %1$s, read-only: true, squash: none, clients: [%3$s]}
          /squashed: {directory: %1$s, clients: [%3$s]}
          /programs: {directory: %2$s, squash: none, clients: [%3$s]}
        """
            .formatted(forPosix, forPrograms, GuestNetwork.everybody());
    GuestNetwork network = GuestNetwork.make(2);
    parts.push(network);
    parts.push(GuestGateway.start(network, directory.resolve("gateway"), configuration));
    posix =
        boot(network, 1, directory, forPosix, "384M")
            .begin(
                """
                set -e
                mount_export /export /mnt/export
                mount_export /read-only /mnt/read-only nosharecache
                mount_export /squashed /mnt/export-squashed nosharecache
                mount_export /export /mnt/export-ro ro,nosharecache
                echo "ok mounts_as_the_documents_say"
                python3 /run/guest/posix.py /mnt/export /mnt/read-only
                """);
    programs =
        boot(network, 2, directory, forPrograms, "768M")
            .begin(
                """
                mount_export /programs /mnt/export || exit
                bash /run/guest/programs.sh /mnt/export
                """);
  }

  private LinuxGuest boot(GuestNetwork network, int number, Path directory, Path see, String memory)
      throws Exception {
    Path own = directory.resolve("guest-" + number);
    LinuxGuest guest =
        LinuxGuest.boot(network, number, own, see, memory).mountingWith(mountOptions);
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
  List<DynamicTest> keepsWhatPosixPromises() throws Exception {
    return checks(posix, POSIX_CHECKS);
  }

  @TestFactory
  List<DynamicTest> programsWork() throws Exception {
    return checks(programs, PROGRAMS);
  }

  private static List<DynamicTest> checks(LinuxGuest.Script script, int least) throws Exception {
    LinuxGuest.Result result = script.await(Duration.ofMinutes(6));
    System.out.println(result.output());
    return GuestChecks.of(result, least);
  }
}
