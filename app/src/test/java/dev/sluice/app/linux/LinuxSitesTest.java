package dev.sluice.app.linux;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.testkit.InstalledPrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What sites ask of a server of files besides files: quotas and access control lists, as the
 * client's own tools show them. The guest is server and client in one, because its kernel knows
 * quotas, whatever this machine's does.
 */
@Tag("untimed")
@Timeout(900)
class LinuxSitesTest {
  private static final int CHECKS = 14;

  @TempDir private Path directory;

  @TestFactory
  List<DynamicTest> quotasAndAccessLists() throws Exception {
    for (String tool : List.of("quota", "setquota", "setfacl", "mkfs.ext4")) {
      assumeTrue(InstalledPrograms.have(tool), () -> "there is no " + tool);
    }
    Path own = directory.resolve("guest");
    Path shown = Files.createDirectory(directory.resolve("shown"));
    try (GuestNetwork network = GuestNetwork.make(1);
        LinuxGuest guest = LinuxGuest.boot(network, 1, own, shown, "900M")) {
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      Files.writeString(guest.shared("java.command"), java);
      Files.writeString(
          guest.shared("java.args"),
          """
          --enable-native-access=ALL-UNNAMED
          -XX:+UseSerialGC
          -XX:TieredStopAtLevel=1
          -Xmx256m
          -XX:MaxDirectMemorySize=128m
          -cp
          "%s"
          """
              .formatted(System.getProperty("java.class.path")));
      LinuxGuest.Result result =
          guest.run("bash /run/guest/sites.sh || exit 1", Duration.ofMinutes(10));
      return GuestChecks.of(result, CHECKS);
    }
  }
}
