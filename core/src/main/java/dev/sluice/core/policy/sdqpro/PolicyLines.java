package dev.sluice.core.policy.sdqpro;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.text.Suggestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The policy lines that hold, as the paper writes them: {@code <app-1, rate=100 MB/s>}, {@code
 * <app-2, borrow=FALSE>}, {@code <app-3, borrow=TRUE, thres=0.8>}. Several lines may be about one
 * application; a later one replaces what it names and leaves the rest. {@code *} is everybody of
 * whom no line speaks, and what a line does not say is taken from there.
 */
final class PolicyLines {
  private static final int LINES_MAX = 10_000;
  private static final String EVERYBODY = "*";
  private static final List<String> KEYS = List.of("rate", "borrow", "thres");
  private static final String EXPECTED =
      "expected lines such as <app-1, rate=100 MB/s> or <app-2, borrow=TRUE, thres=0.8>";

  private final Map<JobId, PolicyLine> byApplication;
  private final PolicyLine everybody;

  private PolicyLines(Map<JobId, PolicyLine> byApplication, PolicyLine everybody) {
    this.byApplication = Map.copyOf(byApplication);
    this.everybody = everybody;
  }

  /** Reads any number of lines; throws with the place, the value and what was expected. */
  static PolicyLines parse(String text) {
    List<Written> written = split(text);
    // Whoever is everybody, wherever it stands: what the other lines do not say is taken from it.
    PolicyLine everybody = PolicyLine.SILENT;
    for (Written line : written) {
      everybody = line.isAboutEverybody() ? line.read(everybody) : everybody;
    }
    Map<JobId, PolicyLine> lines = new HashMap<>();
    for (Written line : written) {
      if (!line.isAboutEverybody()) {
        JobId application = line.application();
        lines.put(application, line.read(lines.getOrDefault(application, everybody)));
      }
    }
    return new PolicyLines(lines, everybody);
  }

  private static List<Written> split(String text) {
    List<Written> lines = new ArrayList<>();
    int at = 0;
    while (true) {
      while (at < text.length() && isBetweenLines(text.charAt(at))) {
        at++;
      }
      if (at == text.length()) {
        return lines;
      }
      int end = text.indexOf('>', at);
      if (text.charAt(at) != '<' || end < 0) {
        throw new IllegalArgumentException(
            "at character "
                + (at + 1)
                + ": \""
                + shortened(text.substring(at))
                + "\": "
                + EXPECTED);
      }
      if (lines.size() == LINES_MAX) {
        throw new IllegalArgumentException("there are at most " + LINES_MAX + " lines");
      }
      lines.add(new Written(lines.size() + 1, text.substring(at + 1, end)));
      at = end + 1;
    }
  }

  /**
   * A line as it was written.
   *
   * @param text what stands between {@code <} and {@code >}
   */
  private record Written(int number, String text) {
    boolean isAboutEverybody() {
      return name().equals(EVERYBODY);
    }

    private String name() {
      int comma = text.indexOf(',');
      return (comma < 0 ? text : text.substring(0, comma)).strip();
    }

    JobId application() {
      try {
        return JobId.of(name());
      } catch (IllegalArgumentException e) {
        throw refused(e);
      }
    }

    PolicyLine read(PolicyLine before) {
      int comma = text.indexOf(',');
      try {
        return PolicyLines.read(comma < 0 ? "" : text.substring(comma + 1), before);
      } catch (IllegalArgumentException e) {
        throw refused(e);
      }
    }

    private IllegalArgumentException refused(IllegalArgumentException why) {
      return new IllegalArgumentException(
          "line " + number + " <" + shortened(text) + ">: " + why.getMessage(), why);
    }
  }

  private static boolean isBetweenLines(char c) {
    return Character.isWhitespace(c) || c == ';' || c == ',';
  }

  private static PolicyLine read(String given, PolicyLine before) {
    PolicyLine line = before;
    if (given.isBlank()) {
      throw new IllegalArgumentException("says nothing; " + EXPECTED);
    }
    for (String part : given.split(",", -1)) {
      int equals = part.indexOf('=');
      String key = (equals < 0 ? part : part.substring(0, equals)).strip();
      String value = equals < 0 ? "" : part.substring(equals + 1).strip();
      line =
          switch (key) {
            case "rate" -> line.withRate(rate(value));
            case "borrow" -> line.withBorrow(truth(value));
            case "thres" -> line.withThreshold(threshold(value));
            default ->
                throw new IllegalArgumentException(
                    "there is no \""
                        + key
                        + "\"; there are "
                        + String.join(", ", KEYS)
                        + Suggestion.of(key, KEYS));
          };
    }
    return line;
  }

  private static Quantities.CountedRate rate(String value) {
    try {
      return Quantities.parseRate(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("rate=" + value + ": " + e.getMessage(), e);
    }
  }

  private static boolean truth(String value) {
    return switch (value.toUpperCase(Locale.ROOT)) {
      case "TRUE" -> true;
      case "FALSE" -> false;
      default -> throw new IllegalArgumentException("borrow=" + value + ": expected TRUE or FALSE");
    };
  }

  private static double threshold(String value) {
    double number = Double.NaN;
    try {
      number = Double.parseDouble(value);
    } catch (NumberFormatException _) {
      // What is not a number is refused like one that is out of range.
    }
    if (!(number >= 0 && number <= 1)) {
      throw new IllegalArgumentException("thres=" + value + ": expected a number from 0 to 1");
    }
    return number;
  }

  private static String shortened(String text) {
    int max = 40;
    return text.length() <= max ? text : text.substring(0, max) + "…";
  }

  /** What holds for a job: what is said about it, else about its application, else about all. */
  PolicyLine about(JobDemand job) {
    PolicyLine line = byApplication.get(job.job());
    if (line == null) {
      line = byApplication.get(job.application());
    }
    return line == null ? everybody : line;
  }
}
