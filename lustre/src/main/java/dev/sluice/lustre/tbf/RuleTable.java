package dev.sluice.lustre.tbf;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules of a service, as {@code nrs_tbf_rule} shows them. Immutable. */
public final class RuleTable {
  /** The rule for whatever no other matches. */
  public static final String DEFAULT = "default";

  /** A bound on what a server can make us keep. */
  static final int RULES_MAX = 100_000;

  private static final Pattern ONE_FIELD = Pattern.compile("[a-z]+=\\{[^{}]*\\}");
  private static final String REGULAR = "regular_requests:";
  private static final String HIGH_PRIORITY = "high_priority_requests:";
  private static final String PARTITION = "CPT ";
  private static final String CLASSES = ", ref ";

  private final Map<String, SeenRule> regular;
  private final Set<String> highPriority;
  private final int partitions;

  private RuleTable(Map<String, SeenRule> regular, Set<String> highPriority, int partitions) {
    this.regular = Collections.unmodifiableMap(regular);
    this.highPriority = Collections.unmodifiableSet(highPriority);
    this.partitions = partitions;
  }

  /** Reads the text; throws {@link IllegalArgumentException} for what is not understood. */
  public static RuleTable parse(String text) {
    Map<String, SeenRule> regular = new LinkedHashMap<>();
    Set<String> highPriority = new HashSet<>();
    int partitions = 0;
    boolean inRegular = false;
    boolean inHighPriority = false;
    int number = 0;
    for (int from = 0; from < text.length(); ) {
      int newline = text.indexOf('\n', from);
      int to = newline < 0 ? text.length() : newline;
      String line = text.substring(from, to);
      from = to + 1;
      number++;
      if (line.isEmpty() || line.endsWith("nrs_tbf_rule=")) {
        continue;
      }
      if (line.endsWith(REGULAR) || line.equals(HIGH_PRIORITY)) {
        inRegular = line.endsWith(REGULAR);
        inHighPriority = !inRegular;
      } else if (line.startsWith(PARTITION) && line.endsWith(":")) {
        partitions += inRegular ? 1 : 0;
      } else if (inRegular && partitions > 0) {
        rule(line, number, regular);
      } else if (inHighPriority) {
        int blank = line.indexOf(' ');
        highPriority.add(blank < 0 ? line : line.substring(0, blank));
      } else {
        throw malformed(line, number, "expected " + REGULAR + " and CPT 0: in front of it");
      }
    }
    if (partitions == 0) {
      throw new IllegalArgumentException("nrs_tbf_rule: expected rules of at least one CPT");
    }
    return new RuleTable(regular, highPriority, partitions);
  }

  /** No rules, on so many partitions: a filter that was just turned on. */
  public static RuleTable none(int partitions) {
    return new RuleTable(new LinkedHashMap<>(), Set.of(), partitions);
  }

  /** What it becomes when all these commands succeed. */
  public RuleTable after(List<RuleCommand> commands) {
    Map<String, SeenRule> rules = new LinkedHashMap<>(regular);
    for (RuleCommand command : commands) {
      switch (command) {
        case RuleCommand.Start start ->
            rules.put(
                start.name(),
                new SeenRule(
                    start.name(), start.pattern().text(), partitions, true, start.rate(), 0));
        case RuleCommand.Change change ->
            rules.computeIfPresent(
                change.name(), (_, rule) -> rule.withRate(change.rate(), partitions));
        case RuleCommand.Stop stop -> rules.remove(stop.name());
      }
    }
    return new RuleTable(rules, highPriority, partitions);
  }

  /** {@code name list rate, ref classes}. */
  private static void rule(String line, int number, Map<String, SeenRule> rules) {
    int name = line.indexOf(' ');
    int classes = line.lastIndexOf(CLASSES);
    int rate = classes < 0 ? -1 : line.lastIndexOf(' ', classes - 1);
    if (name < 1 || rate <= name) {
      throw malformed(line, number, "expected NAME {LIST} RATE, ref NUMBER");
    }
    String called = line.substring(0, name);
    String list = list(line.substring(name + 1, rate));
    long perSecond;
    boolean serving;
    try {
      perSecond = Long.parseLong(line, rate + 1, classes, 10);
      serving = Long.parseLong(line, classes + CLASSES.length(), line.length(), 10) > 0;
    } catch (NumberFormatException e) {
      throw malformed(line, number, "expected NAME {LIST} RATE, ref NUMBER");
    }
    SeenRule known = rules.get(called);
    if (known != null) {
      rules.put(called, known.and(list, perSecond, serving));
    } else if (rules.size() < RULES_MAX) {
      rules.put(called, new SeenRule(called, list, 1, true, perSecond, serving ? 1 : 0));
    } else {
      throw malformed(line, number, "expected at most " + RULES_MAX + " rules");
    }
  }

  /**
   * What a rule lists. Up to 2.17.50 only the braces are shown, later what is compared as well; of
   * a rule by one field the name of that says nothing.
   */
  static String list(String expression) {
    boolean byJob = expression.startsWith("jobid=");
    boolean byOne = byJob || ONE_FIELD.matcher(expression).matches();
    String bare = byOne ? expression.substring(expression.indexOf('=') + 1) : expression;
    boolean braced = bare.length() >= 2 && bare.startsWith("{") && bare.endsWith("}");
    return braced ? bare.substring(1, bare.length() - 1) : bare;
  }

  private static IllegalArgumentException malformed(String line, int number, String expected) {
    String shown = line.length() > 80 ? line.substring(0, 80) + "…" : line;
    return new IllegalArgumentException(
        "nrs_tbf_rule, line "
            + number
            + ": \""
            + shown.replaceAll("\\p{Cntrl}", "?")
            + "\": "
            + expected);
  }

  /** The rule with this name; null where there is none. */
  public @Nullable SeenRule rule(String name) {
    return regular.get(name);
  }

  /** Whether a rule has this name, for whichever requests. */
  public boolean has(String name) {
    return regular.containsKey(name) || highPriority.contains(name);
  }

  /** All rules for regular requests, the one that is tried first in front. */
  public Collection<SeenRule> rules() {
    return regular.values();
  }

  /** How many partitions of processors the service has; each has rules and buckets of its own. */
  public int partitions() {
    return partitions;
  }

  /** The rate of jobs that have no rule, for each partition. */
  public long defaultRate() {
    SeenRule rule = regular.get(DEFAULT);
    return rule == null ? Long.MAX_VALUE : rule.rate();
  }

  /** Names of rules that begin so. */
  public Collection<String> namesWith(String prefix) {
    Collection<String> names = new ArrayList<>();
    for (String name : regular.keySet()) {
      if (name.startsWith(prefix)) {
        names.add(name);
      }
    }
    return names;
  }
}
