package dev.sluice.app.linux;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that people use work on a mount by the Linux kernel's client. */
@Timeout(900)
class LinuxProgramsTest {
  private static final int CHECKS = 6;

  @TempDir private Path directory;

  @TestFactory
  List<DynamicTest> programsWork() throws Exception {
    Path export = Files.createDirectory(directory.resolve("export"));
    String configuration =
        """
        targets: {disk: {capacity: measure}}
        exports: {/export: {directory: %s, squash: none, clients: [%s]}}
        """
            .formatted(export, GuestNetwork.everybody());
    try (GuestNetwork network = GuestNetwork.make(1);
        GuestGateway _ = GuestGateway.start(network, directory.resolve("gateway"), configuration);
        LinuxGuest guest =
            LinuxGuest.boot(network, 1, directory.resolve("guest"), export, "768M")) {
      // Locks among the processes of one client, which sqlite wants, are the client's own.
      LinuxGuest.Result result =
          guest.run(
              """
              mount_export /export /mnt/export nolock || exit
              bash /run/guest/programs.sh /mnt/export
              """,
              Duration.ofMinutes(6));
      System.out.println(result.output());
      return GuestChecks.of(result, CHECKS);
    }
  }
}
