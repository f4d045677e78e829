package dev.sluice.gateway.posix;

/** The processors on which the numbers of Linux's system calls are known here. */
enum Architecture {
  X86_64,
  AARCH64;

  static final Architecture CURRENT = named(System.getProperty("os.arch"));

  static Architecture named(String name) {
    return switch (name) {
      case "amd64", "x86_64" -> X86_64;
      case "aarch64" -> AARCH64;
      default ->
          throw new UnsupportedOperationException(
              "files are served on Linux on amd64 and aarch64, not on " + name);
    };
  }

  /** The value that holds on this one. */
  long select(long onX86, long onArm) {
    return this == X86_64 ? onX86 : onArm;
  }
}
