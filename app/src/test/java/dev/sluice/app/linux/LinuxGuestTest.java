package dev.sluice.app.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Guests keep apart from this machine, and nothing of them stays. */
@Tag("untimed")
@Timeout(300)
class LinuxGuestTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  @Test
  void runsScriptsAndLeavesNothingBehind() throws Exception {
    Path see = Files.createDirectory(directory.resolve("see"));
    Path own = directory.resolve("guest");
    try (GuestNetwork network = GuestNetwork.make(1);
        LinuxGuest guest = LinuxGuest.boot(network, 1, own, see, "256M")) {
      assertThat(guest.run("echo one; exit 3", PATIENCE))
          .isEqualTo(new LinuxGuest.Result(3, "one"));
      assertThat(guest.run("as 1001 id -u; as 1001 id -G", PATIENCE).orFail())
          .isEqualTo("1001\n1001");
      guest.run("touch /run/server/seen", PATIENCE).orFail();
      assertThat(see.resolve("seen")).exists();
      assertThat(guest.run("touch /usr/sluice-was-here", PATIENCE).output())
          .contains("Read-only file system");
      assertThatThrownBy(() -> guest.run("echo waiting; sleep 1000", Duration.ofSeconds(3)))
          .hasMessageContainingAll("did not end in 3 s", "waiting", "Show Blocked State");
      assertThat(guest.run("echo still there", PATIENCE).orFail()).isEqualTo("still there");
      assertThat(processesOf(own)).isPositive();
    }
    Eventually.await("all of the guest has ended", () -> processesOf(own) == 0);
  }

  /** How many processes of this machine name a directory: those of a guest name its own. */
  private static long processesOf(Path own) {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains(own.toString()))
        .count();
  }
}
