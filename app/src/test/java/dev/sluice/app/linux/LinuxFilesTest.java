package dev.sluice.app.linux;

import org.junit.jupiter.api.Tag;

/** Over version 3. Locks among the processes of one client, which sqlite wants, are its own. */
@Tag("untimed")
class LinuxFilesTest extends LinuxFilesContract {
  LinuxFilesTest() {
    super(LinuxGuest.MOUNT_OPTIONS);
  }
}
