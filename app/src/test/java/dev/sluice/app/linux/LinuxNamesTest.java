package dev.sluice.app.linux;

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
 * A Linux kernel whose users have other numbers than the server's: with a domain they are the same
 * by their names, where the client maps names to numbers, and numbers pass where it does not.
 */
@Timeout(300)
@Tag("untimed")
class LinuxNamesTest {
  private static final int CHECKS = 7;

  /** As a site would lay them out; a guest's own files hide this machine's, which it has too. */
  private static final String OTHER_NUMBERS =
      """
      sed 's/^games:x:5:60:/games:x:4005:4060:/' /etc/passwd >/run/passwd
      sed 's/^games:x:60:/games:x:4060:/' /etc/group >/run/group
      cat >/run/idmapd.conf <<'END'
      [General]
      Domain = example.org
      [Mapping]
      Nobody-User = nobody
      Nobody-Group = nogroup
      END
      for file in passwd group idmapd.conf; do mount --bind "/run/$file" "/etc/$file"; done

      # mount_mapping EXPORT Y|N: Y for a client that knows numbers alone, as is the default.
      mount_mapping() {
        echo "$2" >/sys/module/nfs/parameters/nfs4_disable_idmapping
        mount_export "$1" "/mnt/$2$1" nosharecache
      }

      # owner_is FILE USER:GROUP, in numbers; says who it is where it is another.
      owner_is() {
        local owner
        owner=$(stat -c '%u:%g' "$1")
        echo "$1 is of $owner, not of $2"
        [[ $owner == "$2" ]]
      }
      """;

  private static final String CHECKED =
      """
      mount_mapping /named N || exit
      check maps_names touch /mnt/N/named/a
      chown games:games /mnt/N/named/a
      check a_name_has_the_servers_number owner_is /run/server/a 5:60
      check and_the_clients_number owner_is /mnt/N/named/a 4005:4060
      chown 12345:54321 /mnt/N/named/a
      check who_has_no_name_has_a_number owner_is /run/server/a 12345:54321
      install -o games -g games /dev/null /mnt/N/named/made
      check of_what_is_made_too owner_is /run/server/made 5:60
      mount_mapping /named Y || exit
      chown 4005:4060 /mnt/Y/named/a
      check numbers_are_taken_beside_names owner_is /run/server/a 4005:4060
      chown 5:60 /run/server/made
      check names_are_told_to_all owner_is /mnt/Y/named/made 4005:4060
      """;

  @TempDir private Path directory;

  @TestFactory
  List<DynamicTest> usersAreTheSameByTheirNames() throws Exception {
    Path export = Files.createDirectory(directory.resolve("export"));
    String configuration =
        """
        nfs4: {domain: example.org}
        targets: {disk: {capacity: auto}}
        exports: {/named: {directory: %s, squash: none, clients: [%s]}}
        """
            .formatted(export, GuestNetwork.everybody());
    try (GuestNetwork network = GuestNetwork.make(1);
        GuestGateway _ = GuestGateway.start(network, directory.resolve("gateway"), configuration);
        LinuxGuest guest =
            LinuxGuest.boot(network, 1, directory.resolve("guest"), export, "384M")
                .mountingWith(LinuxGuest.MOUNT_OPTIONS_4)) {
      return GuestChecks.of(guest.run(OTHER_NUMBERS + CHECKED, Duration.ofMinutes(3)), CHECKS);
    }
  }
}
