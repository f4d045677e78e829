package dev.sluice.sim.scenario;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.text.Suggestion;
import dev.sluice.document.DocumentException;
import dev.sluice.document.Place;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads recorded requests, one line at a time, from CSV with the header {@value #HEADER}.
 *
 * <p>Lines are in the order of their times. Empty lines and those that begin with {@code #} are
 * skipped. There is no quoting: no field contains a comma.
 */
public final class TraceReader {
  public static final String HEADER = "time,job,target,op,bytes";

  /** Bound on the requests of a trace; as many fit in memory. */
  public static final int REQUESTS_MAX = 5_000_000;

  /** Longer than any sensible line; a bound on what is kept of a file that is none. */
  static final int LINE_LENGTH_MAX = 1_024;

  private static final Pattern SECONDS = Pattern.compile("\\d+(\\.\\d+)?");
  private static final String TIME_EXPECTED =
      "expected seconds such as 1.25, or a duration such as 100 ms";

  private static final Map<String, Operation> OPERATIONS = new HashMap<>();

  static {
    for (Operation operation : Operation.values()) {
      OPERATIONS.put(operation.text(), operation);
    }
  }

  private final String file;
  private final BufferedReader in;
  private final TargetNames targets;
  private final Map<String, JobId> jobs = new HashMap<>();
  private final int requestsMax;

  private int line;
  private int requests;
  private long previousNanos;
  private boolean headerSeen;
  private String text = "";

  /** A recorded request and the job it belongs to. */
  public record Entry(JobId job, Workload.TraceLine request) {}

  /**
   * Reads from {@code in}, which the caller closes.
   *
   * @param file what errors call it
   * @param targets those a line may name
   */
  public TraceReader(String file, Reader in, List<String> targets) {
    this(file, in, new TargetNames(targets), REQUESTS_MAX);
  }

  TraceReader(String file, Reader in, TargetNames targets, int requestsMax) {
    this.file = file;
    this.in = new BufferedReader(in);
    this.targets = targets;
    this.requestsMax = requestsMax;
  }

  /** The next request, or null at the end. */
  public @Nullable Entry next() throws IOException {
    while (readLine()) {
      if (text.isBlank() || text.startsWith("#")) {
        continue;
      }
      if (headerSeen) {
        return entry();
      }
      if (!text.strip().equals(HEADER)) {
        throw error(0, text, "expected the header " + HEADER);
      }
      headerSeen = true;
    }
    if (!headerSeen) {
      throw new DocumentException(
          new Place(file, Math.max(1, line), 1), "expected the header " + HEADER);
    }
    return null;
  }

  private boolean readLine() throws IOException {
    StringBuilder characters = new StringBuilder();
    line++;
    try {
      int c = in.read();
      if (c < 0) {
        return false;
      }
      for (; c >= 0 && c != '\n'; c = in.read()) {
        if (characters.length() == LINE_LENGTH_MAX) {
          throw error(0, characters.toString(), "longer than " + LINE_LENGTH_MAX + " characters");
        }
        characters.append((char) c);
      }
    } catch (CharacterCodingException e) {
      throw new DocumentException(file, "is not UTF-8 text", e);
    }
    if (!characters.isEmpty() && characters.charAt(characters.length() - 1) == '\r') {
      characters.setLength(characters.length() - 1);
    }
    text = characters.toString();
    return true;
  }

  private Entry entry() {
    if (++requests > requestsMax) {
      throw error(0, text, "expected at most " + requestsMax + " requests in a trace");
    }
    int[] starts = fieldStarts();
    long atNanos = time(starts[0], field(starts, 0));
    JobId job = job(starts[1], field(starts, 1));
    String target = targets.known(field(starts, 2));
    if (target == null) {
      throw error(starts[2], field(starts, 2), targets.expected(field(starts, 2)));
    }
    Operation operation = operation(starts[3], field(starts, 3));
    long bytes = bytes(starts[4], field(starts, 4));
    return new Entry(job, new Workload.TraceLine(atNanos, target, operation, bytes));
  }

  /** Where the five fields begin, blanks skipped, and where a sixth would. */
  private int[] fieldStarts() {
    int[] starts = new int[6];
    int count = 1;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == ',') {
        if (count == 5) {
          throw error(i, text, "expected 5 fields, " + HEADER + ", not more");
        }
        starts[count++] = i + 1;
      }
    }
    if (count < 5) {
      throw error(text.length(), text, "expected 5 fields, " + HEADER + ", not " + count);
    }
    starts[5] = text.length() + 1;
    for (int i = 0; i < 5; i++) {
      while (starts[i] < starts[i + 1] - 1 && text.charAt(starts[i]) == ' ') {
        starts[i]++;
      }
    }
    return starts;
  }

  /** A field: what stands before the comma that ends it. */
  private String field(int[] starts, int index) {
    int end = text.indexOf(',', starts[index]);
    return text.substring(starts[index], end < 0 ? text.length() : end).strip();
  }

  private long time(int column, String written) {
    long nanos;
    try {
      nanos =
          Quantities.parseDurationNanos(
              SECONDS.matcher(written).matches() ? written + " s" : written);
    } catch (IllegalArgumentException e) {
      throw error(column, written, TIME_EXPECTED);
    }
    if (nanos > Limits.TIME_NANOS_MAX) {
      throw error(
          column,
          written,
          "expected a time up to " + Quantities.formatDuration(Limits.TIME_NANOS_MAX));
    }
    if (nanos < previousNanos) {
      throw error(
          column,
          written,
          "expected a time that does not go back: the request before came at "
              + Quantities.formatDuration(previousNanos));
    }
    previousNanos = nanos;
    return nanos;
  }

  private JobId job(int column, String written) {
    JobId known = jobs.get(written);
    if (known != null) {
      return known;
    }
    try {
      JobId job = JobId.of(written);
      jobs.put(written, job);
      return job;
    } catch (IllegalArgumentException e) {
      throw error(column, written, String.valueOf(e.getMessage()));
    }
  }

  private Operation operation(int column, String written) {
    Operation operation = OPERATIONS.get(written);
    if (operation == null) {
      List<String> known = Arrays.stream(Operation.values()).map(Operation::text).toList();
      throw error(
          column,
          written,
          "expected one of " + String.join(", ", known) + Suggestion.of(written, known));
    }
    return operation;
  }

  private long bytes(int column, String written) {
    long bytes;
    try {
      bytes = Quantities.parseBytes(written);
    } catch (IllegalArgumentException e) {
      throw error(column, written, String.valueOf(e.getMessage()));
    }
    if (bytes > Request.COST_MAX) {
      throw error(
          column, written, "expected a size up to " + Request.COST_MAX + " bytes for one request");
    }
    return bytes;
  }

  private DocumentException error(int index, String value, String problem) {
    return DocumentException.about(place(index), value, problem);
  }

  private Place place(int index) {
    return new Place(file, line, index + 1);
  }

  /** The beginning of the line that was read last. */
  Place place() {
    return place(0);
  }
}
