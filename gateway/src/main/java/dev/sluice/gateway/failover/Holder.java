package dev.sluice.gateway.failover;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a lease, as it is written there.
 *
 * @param name of the gateway
 * @param machine a boot of a machine, and where on it processes have their numbers
 * @param process its number there
 * @param claim tells the claims of one process apart
 */
record Holder(String name, String machine, long process, String claim) {
  private static final String BETWEEN = ":";
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final Path NUMBERS = Path.of("/proc/self/ns/pid");

  /** This process, for one claim. */
  static Holder ofThisProcess(String name) throws IOException {
    String numbers = Files.readSymbolicLink(NUMBERS).toString().replaceAll("[^0-9]", "");
    return new Holder(
        name,
        Files.readString(BOOT).strip() + "-" + numbers,
        ProcessHandle.current().pid(),
        Long.toString(new SecureRandom().nextLong() >>> 1, Character.MAX_RADIX));
  }

  String text() {
    return String.join(BETWEEN, name, machine, Long.toString(process), claim);
  }

  /** Reads it; null when it is nobody, or nothing that was written here. */
  static @Nullable Holder of(String text) {
    List<String> parts = List.of(text.split(BETWEEN, -1));
    if (parts.size() != 4 || !parts.get(2).matches("[0-9]{1,18}")) {
      return null;
    }
    return new Holder(parts.get(0), parts.get(1), Long.parseLong(parts.get(2)), parts.get(3));
  }

  /** The name of whoever holds it; empty when nobody does. */
  static String nameIn(String text) {
    Holder holder = of(text);
    return holder == null ? text : holder.name;
  }

  /**
   * Whether another is an earlier life of this gateway on this machine, whose process is no more:
   * then nothing of it acts any longer, neither threads nor calls that they were in.
   */
  boolean isHeirOf(String text) {
    Holder other = of(text);
    return other != null
        && other.name.equals(name)
        && other.machine.equals(machine)
        && ProcessHandle.of(other.process).isEmpty();
  }
}
