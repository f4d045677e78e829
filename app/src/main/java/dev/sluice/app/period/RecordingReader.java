package dev.sluice.app.period;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads recorded I/O from lines of values with commas between them, below a line of names.
 *
 * <p>With a column whose name begins with {@code bandwidth} the file is a step function: a row's
 * value holds until the next row. With a column {@code bytes} every row is a request; a column
 * {@code job}, if there is one, says whose.
 */
final class RecordingReader {
  private static final int ROWS_MAX = 2_000_000;
  private static final int JOBS_MAX = 1_000;

  /** Nanoseconds beyond this do not fit. */
  private static final double SECONDS_MAX = 9e9;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final List<String> TIME_NAMES = List.of("t_s", "time_s", "time", "t");

  private final String file;
  private final Map<String, List<Recording.Piece>> pieces = new LinkedHashMap<>();
  private int line;
  private int rows;
  private int timeColumn;
  private int valueColumn;
  private int jobColumn;
  private boolean steps;
  private Recording.AmountUnit unit = Recording.AmountUnit.BYTES;
  private boolean began;
  private long beginNanos;
  private long lastNanos;
  private double rate;

  private RecordingReader(String file) {
    this.file = file;
  }

  /** The recordings in a file, one for each job. */
  static List<Recording> read(String file) {
    try (BufferedReader in = Files.newBufferedReader(Path.of(file))) {
      return new RecordingReader(file).readAll(in);
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new BadInputException(file + ": no such file", e);
    } catch (CharacterCodingException e) {
      throw new BadInputException(file + ": expected text in UTF-8", e);
    } catch (IOException e) {
      throw new FailedException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private List<Recording> readAll(BufferedReader in) throws IOException {
    String head = nextRow(in);
    if (head == null) {
      throw new BadInputException(file + ": expected a line of names and rows below it");
    }
    readNames(columns(head));
    for (String row = nextRow(in); row != null; row = nextRow(in)) {
      rows++;
      if (rows > ROWS_MAX) {
        throw error("expected at most " + ROWS_MAX + " rows");
      }
      readRow(columns(row));
    }
    if (!began) {
      throw new BadInputException(file + ": expected rows below the line of names");
    }
    List<Recording> recordings = new ArrayList<>();
    pieces.forEach((job, its) -> recordings.add(recording(job, its)));
    return recordings;
  }

  private Recording recording(String job, List<Recording.Piece> its) {
    if (steps) {
      return new Recording(Optional.empty(), unit, its, beginNanos, lastNanos);
    }
    return new Recording(
        jobColumn < 0 ? Optional.empty() : Optional.of(job),
        unit,
        its,
        its.getFirst().fromNanos(),
        its.getLast().toNanos());
  }

  private @Nullable String nextRow(BufferedReader in) throws IOException {
    String row = in.readLine();
    line++;
    while (row != null && (row.isBlank() || row.startsWith("#"))) {
      row = in.readLine();
      line++;
    }
    return row;
  }

  private static List<String> columns(String row) {
    return Arrays.stream(row.split(",", -1)).map(String::strip).toList();
  }

  private void readNames(List<String> written) {
    List<String> names = written.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    timeColumn =
        TIME_NAMES.stream().mapToInt(names::indexOf).filter(at -> at >= 0).findFirst().orElse(-1);
    jobColumn = names.indexOf("job");
    valueColumn = names.indexOf("bytes");
    if (valueColumn < 0) {
      steps = true;
      for (int at = names.size() - 1; at >= 0; at--) {
        valueColumn = names.get(at).startsWith("bandwidth") ? at : valueColumn;
      }
    }
    if (timeColumn < 0 || valueColumn < 0) {
      throw error(
          "expected names with t_s or time, and with bytes or bandwidth, not \""
              + String.join(",", written)
              + "\"");
    }
    if (steps) {
      // A job's name would be read and mean nothing: a step function is that of one job.
      if (jobColumn >= 0) {
        throw error("expected no column job beside bandwidth");
      }
      unit =
          names.get(valueColumn).contains("b_per_s") || names.get(valueColumn).equals("bandwidth")
              ? Recording.AmountUnit.BYTES
              : Recording.AmountUnit.RELATIVE;
    }
  }

  private void readRow(List<String> row) {
    int needed = Math.max(jobColumn, Math.max(timeColumn, valueColumn)) + 1;
    if (row.size() < needed) {
      throw error("expected at least " + needed + " values, not " + row.size());
    }
    double seconds = number("a time in seconds", row.get(timeColumn), -SECONDS_MAX, SECONDS_MAX);
    double value = number("0 or more", row.get(valueColumn), 0, Double.MAX_VALUE);
    long nanos = Math.round(seconds * NANOS_PER_SECOND);
    if (began && nanos < lastNanos) {
      throw error("expected a time that is not before the last one, not " + row.get(timeColumn));
    }
    if (!began) {
      began = true;
      beginNanos = nanos;
      lastNanos = nanos;
    }
    if (steps) {
      step(nanos, value);
    } else {
      piecesOf(jobColumn < 0 ? "" : row.get(jobColumn))
          .add(new Recording.Piece(nanos, nanos, Math.min(value, Long.MAX_VALUE)));
    }
    lastNanos = nanos;
  }

  private void step(long nanos, double nextRate) {
    List<Recording.Piece> its = piecesOf("");
    if (nanos > lastNanos && rate > 0) {
      double amount = rate * (nanos - lastNanos) / NANOS_PER_SECOND;
      its.add(new Recording.Piece(lastNanos, nanos, amount));
    }
    rate = nextRate;
  }

  private List<Recording.Piece> piecesOf(String job) {
    List<Recording.Piece> known = pieces.get(job);
    if (known != null) {
      return known;
    }
    if (pieces.size() == JOBS_MAX) {
      throw error("expected at most " + JOBS_MAX + " jobs");
    }
    List<Recording.Piece> fresh = new ArrayList<>();
    pieces.put(job, fresh);
    return fresh;
  }

  private double number(String expected, String text, double min, double max) {
    try {
      double value = Double.parseDouble(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new BadInputException(place() + "expected " + expected + ", not \"" + text + "\"", e);
    }
    throw error("expected " + expected + ", not \"" + text + "\"");
  }

  private BadInputException error(String message) {
    return new BadInputException(place() + message);
  }

  private String place() {
    return file + ":" + line + ": ";
  }
}
