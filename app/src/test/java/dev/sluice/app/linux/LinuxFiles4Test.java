package dev.sluice.app.linux;

/** Over version 4.2, which is what a mount without options asks for first. */
class LinuxFiles4Test extends LinuxFilesContract {
  LinuxFiles4Test() {
    super(LinuxGuest.MOUNT_OPTIONS_4);
  }
}
