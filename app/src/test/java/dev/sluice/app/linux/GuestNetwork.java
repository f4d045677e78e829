package dev.sluice.app.linux;

import static dev.sluice.app.NetworkCommand.must;
import static dev.sluice.app.NetworkCommand.run;

import dev.sluice.testkit.InstalledPrograms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/**
 * A network name space for a gateway, with a cable to each of some guests. Nothing outside can
 * reach it, so the gateway in it may listen everywhere and on the ports of NFS. Gone when this is
 * closed.
 */
final class GuestNetwork implements AutoCloseable {
  private static final String PREFIX = "sluice-guests-";
  private static final AtomicInteger MADE = new AtomicInteger();

  private final String name = PREFIX + ProcessHandle.current().pid() + "-" + MADE.incrementAndGet();

  private GuestNetwork() {}

  /** Makes one; skips the test, in words, where there can be no guests. */
  static GuestNetwork make(int guests) throws IOException {
    assumePossible();
    removeLeftOvers();
    GuestNetwork made = new GuestNetwork();
    must("ip", "netns", "add", made.name);
    must("ip", "-n", made.name, "link", "set", "lo", "up");
    for (int guest = 1; guest <= guests; guest++) {
      String tap = tap(guest);
      must("ip", "-n", made.name, "tuntap", "add", "dev", tap, "mode", "tap");
      must("ip", "-n", made.name, "addr", "add", gatewayAddress(guest) + "/24", "dev", tap);
      must("ip", "-n", made.name, "link", "set", tap, "up");
    }
    return made;
  }

  /** Asked once: it boots a guest. */
  private static final class Possible {
    static final String WHY_NOT = whyNot();

    private static String whyNot() {
      if (!InstalledPrograms.have("bash")) {
        return "there is no bash";
      }
      try {
        return run(LinuxGuest.PROGRAM.toString(), "--check");
      } catch (IOException e) {
        return e.toString();
      }
    }
  }

  private static void assumePossible() {
    Assumptions.assumeTrue(
        Possible.WHY_NOT.isEmpty(), () -> "no Linux guests here: " + Possible.WHY_NOT);
  }

  /** What a test that was killed has left behind. */
  private static void removeLeftOvers() throws IOException {
    Process process = new ProcessBuilder("ip", "netns", "list").start();
    String all = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    for (String line : all.lines().toList()) {
      String space = line.split(" ", 2)[0];
      if (space.startsWith(PREFIX)) {
        long maker = Long.parseLong(space.substring(PREFIX.length()).split("-", 2)[0]);
        if (ProcessHandle.of(maker).isEmpty()) {
          run("ip", "netns", "delete", space);
        }
      }
    }
  }

  /** The name of the cable to a guest; guests count from 1. */
  static String tap(int guest) {
    return "guest" + guest;
  }

  /** Under which a guest finds the gateway. */
  static String gatewayAddress(int guest) {
    return "10.87." + guest + ".1";
  }

  static String guestAddress(int guest) {
    return "10.87." + guest + ".2";
  }

  /** All guests. */
  static String everybody() {
    return "10.87.0.0/16";
  }

  /** What runs a command in this name space, in its own place. */
  List<String> within() {
    return List.of("ip", "netns", "exec", name);
  }

  @Override
  public void close() throws IOException {
    must("ip", "netns", "delete", name);
  }
}
