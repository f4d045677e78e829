package dev.sluice.app.linux;

/** Over version 3. Locks among the processes of one client, which sqlite wants, are its own. */
class LinuxFilesTest extends LinuxFilesContract {
  LinuxFilesTest() {
    super(LinuxGuest.MOUNT_OPTIONS);
  }
}
