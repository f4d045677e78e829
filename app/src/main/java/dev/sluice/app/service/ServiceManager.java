package dev.sluice.app.service;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells whoever started this program how it is, as systemd wants to be told (sd_notify): that it
 * serves, that it ends and, if a watchdog waits for it, that it is well. Where nobody asked to be
 * told, nothing happens. A notice that does not arrive stops nothing.
 */
public final class ServiceManager implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ServiceManager.class.getName());
  private static final long NANOS_PER_MICRO = 1_000L;

  private final @Nullable UnixDatagrams socket;
  private final @Nullable Duration watchdog;
  private @Nullable Thread watching;

  /** For this process, from its environment. */
  public ServiceManager() {
    this(System.getenv(), ProcessHandle.current().pid());
  }

  ServiceManager(Map<String, String> environment, long process) {
    String address = environment.getOrDefault("NOTIFY_SOCKET", "");
    socket = address.isEmpty() ? null : new UnixDatagrams(address);
    watchdog = watchdog(environment, process);
  }

  /** How long silence may last; null where nobody minds, or another process is meant. */
  private static @Nullable Duration watchdog(Map<String, String> environment, long process) {
    String micros = environment.getOrDefault("WATCHDOG_USEC", "");
    String meant = environment.getOrDefault("WATCHDOG_PID", "");
    if (!micros.matches("[1-9][0-9]{0,14}")
        || !(meant.isEmpty() || meant.equals(Long.toString(process)))) {
      return null;
    }
    return Duration.ofNanos(Long.parseLong(micros) * NANOS_PER_MICRO);
  }

  /**
   * The program serves. From now on a watchdog, where there is one, is told that it is well, twice
   * as often as it must be, for as long as nothing is wrong that a restart would cure.
   *
   * @param status a line for people
   * @param wrong what is; asked on a thread of its own
   */
  public void ready(String status, Supplier<List<String>> wrong) {
    tell("READY=1\nSTATUS=" + oneLine(status));
    Duration patience = watchdog;
    if (socket != null && patience != null) {
      watching =
          Thread.ofPlatform()
              .name("watchdog")
              .daemon()
              .start(() -> keepTelling(patience.dividedBy(2), wrong));
    }
  }

  /** What the program does now, for people. */
  public void status(String status) {
    tell("STATUS=" + oneLine(status));
  }

  private void keepTelling(Duration between, Supplier<List<String>> wrong) {
    String last = "";
    try {
      while (true) {
        List<String> found = wrong.get();
        String words = oneLine(String.join("; ", found));
        if (found.isEmpty()) {
          tell("WATCHDOG=1");
        } else if (!words.equals(last)) {
          LOG.log(System.Logger.Level.ERROR, "not well, so the watchdog is not told: " + words);
          tell("STATUS=not well: " + words);
        }
        last = words;
        Thread.sleep(between);
      }
    } catch (InterruptedException e) {
      // The program ends.
    }
  }

  /** The program ends now, and may take its time for it. */
  @Override
  public void close() {
    if (watching != null) {
      watching.interrupt();
    }
    tell("STOPPING=1");
  }

  private void tell(String notice) {
    if (socket == null) {
      return;
    }
    try {
      socket.send(notice.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "systemd was not told: " + e.getMessage());
    }
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s*\\R\\s*", "; ");
  }
}
