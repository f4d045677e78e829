package dev.sluice.lustre.control;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.model.Rate;
import dev.sluice.lustre.LustreService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What was found out of a service, in a file beside the {@link Journal}, so that whoever comes
 * after a restart goes on from it. What is older than {@link #OLD} counts no more. Not thread-safe.
 *
 * <pre>
 * sluice-lustre-capacity 1
 * service ost_io
 * 412.345 requests a second, 2100000 ns each in calm
 * </pre>
 */
final class CapacityMemory {
  private static final String FILE = "capacity";
  private static final String HEAD = "sluice-lustre-capacity 1";
  private static final Pattern KNOWN =
      Pattern.compile(
          "([0-9]{1,15}\\.[0-9]{3}) requests a second, ([1-9][0-9]{0,14}) ns each in calm");
  private static final Duration OLD = Duration.ofDays(1);
  private static final Duration WRITTEN_EVERY = Duration.ofSeconds(10);

  private final Path file;
  private final String service;
  private final InstantSource clock;
  private @Nullable String written;
  private long writtenMillis;

  /**
   * What was known.
   *
   * @param perSecond requests that it can serve
   * @param calmNanos how long each takes while few are in service
   */
  record Known(double perSecond, long calmNanos) {}

  CapacityMemory(Path directory, LustreService service, InstantSource clock) {
    this.file = directory.resolve(FILE);
    this.service = "service " + service.text();
    this.clock = clock;
  }

  /**
   * What was known when somebody last wrote it down; null where nobody has, or long ago.
   *
   * @throws IOException where it cannot be read, with what was expected
   */
  @Nullable Known read() throws IOException {
    if (!Files.exists(file)
        || clock.instant().isAfter(Files.getLastModifiedTime(file).toInstant().plus(OLD))) {
      return null;
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.US_ASCII);
    if (lines.size() != 3 || !lines.getFirst().equals(HEAD) || !lines.get(1).equals(service)) {
      throw new IOException(
          file + ": expected 3 lines, \"" + HEAD + "\", \"" + service + "\" and what it can do");
    }
    Matcher known = KNOWN.matcher(lines.get(2));
    double perSecond = known.matches() ? Double.parseDouble(known.group(1)) : 0;
    if (perSecond < 1 || perSecond > Rate.TOKENS_PER_SECOND_MAX) {
      throw new IOException(
          file
              + ": line 3: \""
              + lines.get(2)
              + "\": expected such as \"412.345 requests a second, 2100000 ns each in calm\"");
    }
    return new Known(perSecond, Long.parseLong(known.group(2)));
  }

  /** Writes down what is known, every now and then. */
  void keep(@Nullable CapacityBelief belief) throws IOException {
    if (clock.millis() - writtenMillis >= WRITTEN_EVERY.toMillis()) {
      write(belief);
    }
  }

  /** Writes down what is known, if it is not what was written last. */
  void write(@Nullable CapacityBelief belief) throws IOException {
    if (belief == null || !belief.known()) {
      return;
    }
    String text =
        String.format(
            Locale.ROOT,
            "%s\n%s\n%.3f requests a second, %d ns each in calm\n",
            HEAD,
            service,
            belief.tokensPerSecond(),
            belief.calmNanos());
    writtenMillis = clock.millis();
    if (!text.equals(written)) {
      Path fresh = file.resolveSibling(FILE + ".new");
      Files.writeString(fresh, text, StandardCharsets.US_ASCII);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      written = text;
    }
  }
}
