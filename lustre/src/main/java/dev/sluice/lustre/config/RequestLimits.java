package dev.sluice.lustre.config;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.tbf.JobPattern;
import dev.sluice.lustre.tbf.RequestMatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Says conditions of the rule language in the words of Lustre's filter. Besides what gateways know,
 * a filter can ask for a project and a nodemap: {@code project=42 class=data}.
 */
final class RequestLimits {
  private static final String PROJECT = "project=";
  private static final String NODEMAP = "nodemap=";
  private static final Pattern NUMBER = Pattern.compile("\\d{1,10}");
  private static final long NUMBER_MAX = 0xffff_fffeL;
  private static final Pattern NODEMAP_NAME = Pattern.compile("[A-Za-z0-9_.-]{1,16}");

  /** What passes the service of data, by the names that rules have for it. */
  private static final Map<String, String> OPCODES =
      Map.of("read", "ost_read", "write", "ost_write", "truncate", "ost_punch");

  private RequestLimits() {}

  /** The conditions that gateways know, without the others. */
  static String known(String text) {
    List<String> words = new ArrayList<>(List.of(text.split(" ", -1)));
    words.removeIf(word -> word.startsWith(PROJECT) || word.startsWith(NODEMAP));
    return String.join(" ", words);
  }

  /** Whether no rule by job could hold it: it asks about something else. */
  static boolean needsRequests(String text, FlowMatch match) {
    return !known(text).equals(text)
        || match.keys().contains("group")
        || match.keys().contains("operation")
        || match.keys().contains("class");
  }

  /** Whether it names users by numbers: of these a filter knows all requests. */
  static boolean namesNumbers(FlowMatch match) {
    FlowMatch.Asked user = match.asked("user");
    return user != null && user.values().stream().allMatch(RequestLimits::isNumber);
  }

  /**
   * Translates.
   *
   * @throws IllegalArgumentException for what a filter cannot be asked, in words
   */
  static RequestMatch translate(String text, FlowMatch match, LustreService service) {
    Map<String, List<String>> conditions = new LinkedHashMap<>();
    for (String key : List.of("client", "export")) {
      if (match.asked(key) != null) {
        throw new IllegalArgumentException(
            "expected no condition on " + key + ": Lustre's filter knows no such thing");
      }
    }
    put(conditions, "jobid", jobs(asked(match, "job")));
    put(conditions, "uid", numbers("user", asked(match, "user")));
    put(conditions, "gid", numbers("group", asked(match, "group")));
    put(conditions, "projid", numbers("project", word(text, PROJECT)));
    put(conditions, "nodemap", nodemaps(word(text, NODEMAP)));
    put(conditions, "opcode", opcodes(match, service));
    if (conditions.isEmpty()) {
      throw new IllegalArgumentException("expected a condition");
    }
    return new RequestMatch(conditions);
  }

  private static void put(
      Map<String, List<String>> conditions, String field, @Nullable List<String> values) {
    if (values != null) {
      conditions.put(field, values);
    }
  }

  private static @Nullable List<String> asked(FlowMatch match, String key) {
    FlowMatch.Asked asked = match.asked(key);
    if (asked == null) {
      return null;
    }
    if (asked.negated()) {
      throw new IllegalArgumentException(
          "expected no condition with !=: a rule of Lustre's filter asks what is, not what is not");
    }
    return asked.values();
  }

  private static @Nullable List<String> word(String text, String prefix) {
    List<String> values = null;
    for (String word : text.split(" ", -1)) {
      if (word.startsWith(prefix)) {
        if (values != null) {
          throw new IllegalArgumentException("expected " + prefix + " once");
        }
        values = List.of(word.substring(prefix.length()).split(",", -1));
      }
    }
    return values;
  }

  private static boolean isNumber(String text) {
    return NUMBER.matcher(text).matches() && Long.parseLong(text) <= NUMBER_MAX;
  }

  private static @Nullable List<String> numbers(String key, @Nullable List<String> values) {
    if (values != null) {
      for (String value : values) {
        if (!isNumber(value)) {
          throw new IllegalArgumentException(
              key
                  + " \""
                  + value
                  + "\": expected a number, which is what Lustre's filter compares");
        }
      }
    }
    return values;
  }

  private static @Nullable List<String> jobs(@Nullable List<String> values) {
    if (values != null) {
      for (String value : values) {
        if (!JobPattern.isWritable(value)) {
          throw new IllegalArgumentException(
              "job \"" + value + "\": cannot be written into a rule as it is");
        }
      }
    }
    return values;
  }

  private static @Nullable List<String> nodemaps(@Nullable List<String> values) {
    if (values != null) {
      for (String value : values) {
        if (!NODEMAP_NAME.matcher(value).matches()) {
          throw new IllegalArgumentException(
              "nodemap \"" + value + "\": expected the name of a nodemap");
        }
      }
    }
    return values;
  }

  private static @Nullable List<String> opcodes(FlowMatch match, LustreService service) {
    List<String> operations = asked(match, "operation");
    List<String> classes = asked(match, "class");
    if (operations == null && classes == null) {
      return null;
    }
    if (service != LustreService.OST_IO) {
      throw new IllegalArgumentException(
          "expected no condition on operations: a request to "
              + service.text()
              + " does not tell what it asks for");
    }
    if (classes != null && !classes.equals(List.of("data"))) {
      throw new IllegalArgumentException(
          "class "
              + String.join(",", classes)
              + ": expected data, which is all that passes ost_io");
    }
    if (operations == null) {
      return OPCODES.values().stream().sorted().toList();
    }
    List<String> opcodes = new ArrayList<>();
    for (String operation : operations) {
      String opcode = OPCODES.get(operation);
      if (opcode == null) {
        throw new IllegalArgumentException(
            "operation " + operation + ": expected read, write or truncate, which pass ost_io");
      }
      opcodes.add(opcode);
    }
    return opcodes;
  }
}
