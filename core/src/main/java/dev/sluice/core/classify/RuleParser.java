package dev.sluice.core.classify;

import static dev.sluice.core.classify.RuleReader.shown;

import dev.sluice.core.classify.RuleReader.Value;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Network;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.OperationClass;
import dev.sluice.core.text.Suggestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads one line of rules.
 *
 * <pre>
 * line      = [ name ":" { condition } [ "->" placement { placement } ] ] [ "#" comment ]
 * condition = key ( "=" | "!=" ) value { "," value }
 * placement = "job=" template | "class=" name
 * </pre>
 */
final class RuleParser {
  private static final String ARROW = "->";
  private static final String COMMENT = "#";
  private static final List<String> PLACEMENTS = List.of("job", "class");

  private final RuleReader reader;

  RuleParser(String line, int lineNumber) {
    reader = new RuleReader(line, lineNumber);
  }

  /** Conditions and nothing else: no name, arrow or comment. */
  FlowMatch matchAlone() {
    FlowMatch match = match();
    if (!reader.atEnd()) {
      throw reader.error(reader.place(), "expected conditions alone, such as user=alice");
    }
    return match;
  }

  /**
   * The rule on this line, or null when there is none.
   *
   * @param lineByName the names that are taken, and where
   */
  @Nullable Rule ruleOrBlank(Map<String, Integer> lineByName) {
    reader.skipBlanks();
    if (reader.atEnd() || reader.looksAt(COMMENT)) {
      return null;
    }
    String name = ruleName(lineByName);
    FlowMatch match = match();
    JobTemplate job = JobTemplate.OWN_JOB;
    String trafficClass = name;
    if (reader.take(ARROW)) {
      Map<String, Value> placements = placements();
      Value template = placements.get("job");
      Value className = placements.get("class");
      job = template == null ? job : template(template);
      trafficClass = className == null ? trafficClass : trafficClass(className);
    }
    return new Rule(name, match, job, trafficClass);
  }

  private String ruleName(Map<String, Integer> lineByName) {
    int start = reader.place();
    String name = reader.readName();
    if (!Rule.isName(name)) {
      throw reader.error(
          start,
          (name.isEmpty() ? "" : shown(name) + ": ")
              + "expected a rule name of "
              + Rule.NAME_EXPECTED);
    }
    if (!reader.take(":")) {
      throw reader.error(reader.place(), "expected \":\" right after the rule name " + shown(name));
    }
    reader.enterRule(name);
    Integer otherLine = lineByName.get(name);
    if (otherLine != null) {
      throw reader.error(
          start, shown(name) + ": expected a name of its own; line " + otherLine + " has it too");
    }
    if (lineByName.size() == RuleSet.RULES_MAX) {
      throw reader.error(start, "expected at most " + RuleSet.RULES_MAX + " rules");
    }
    return name;
  }

  private FlowMatch match() {
    Map<Key, Condition> conditions = new EnumMap<>(Key.class);
    reader.skipBlanks();
    while (!reader.atEnd() && !reader.looksAt(ARROW) && !reader.looksAt(COMMENT)) {
      int start = reader.place();
      Condition condition = condition();
      if (conditions.putIfAbsent(condition.key(), condition) != null) {
        String key = condition.key().text();
        throw reader.error(
            start, shown(key) + ": expected each key once; alternatives go as in " + key + "=a,b");
      }
      reader.skipBlanks();
    }
    return conditions.isEmpty() ? FlowMatch.ANY : new FlowMatch(conditions);
  }

  private Condition condition() {
    int start = reader.place();
    String word = reader.readName();
    if (word.isEmpty()) {
      throw reader.error(start, "expected a condition such as user=alice");
    }
    Key key = Key.named(word);
    if (key == null) {
      throw reader.error(start, unknown(word, "the key of a condition", Key.texts()));
    }
    boolean negated = reader.take("!=");
    if (!negated && !reader.take("=")) {
      throw reader.error(reader.place(), "expected = or != right after " + shown(word));
    }
    List<Value> values = new ArrayList<>();
    String after = word + (negated ? "!=" : "=");
    do {
      if (values.size() == FlowMatch.VALUES_MAX) {
        throw reader.error(
            reader.place(), "expected at most " + FlowMatch.VALUES_MAX + " values for one key");
      }
      values.add(reader.readValue(after));
      after = ",";
    } while (reader.take(","));
    return new Condition(key, negated, alternatives(key, values));
  }

  private Alternatives alternatives(Key key, List<Value> values) {
    return switch (key) {
      case JOB, USER, GROUP, EXPORT, TARGET -> texts(key, values);
      case CLIENT ->
          Alternatives.Networks.of(
              values.stream().map(value -> checked(value, Network::parse)).toList());
      case OPERATION ->
          Alternatives.Operations.of(
              choices(values, "an operation", Arrays.asList(Operation.values()), Operation::text));
      case CLASS ->
          Alternatives.Classes.of(
              choices(
                  values,
                  "a class of operations",
                  Arrays.asList(OperationClass.values()),
                  OperationClass::text));
    };
  }

  private Alternatives texts(Key key, List<Value> values) {
    List<String> exact = new ArrayList<>();
    List<Wildcard> wildcards = new ArrayList<>();
    for (Value value : values) {
      if (!value.quoted() && value.text().indexOf('*') >= 0) {
        wildcards.add(Wildcard.parse(value.text()));
      } else {
        // A name that no job can have would make a rule that never matches.
        exact.add(key == Key.JOB ? checked(value, JobId::of).toString() : value.text());
      }
    }
    return Alternatives.Texts.of(key, exact, wildcards);
  }

  private <T> T checked(Value value, Function<String, T> parse) {
    try {
      return parse.apply(value.text());
    } catch (IllegalArgumentException e) {
      throw reader.error(
          value.place(),
          shown(value.text()) + ": " + Objects.requireNonNullElse(e.getMessage(), "not accepted"));
    }
  }

  private <T> List<T> choices(
      List<Value> values, String what, List<T> choices, Function<T, String> text) {
    List<String> texts = choices.stream().map(text).toList();
    List<T> chosen = new ArrayList<>();
    for (Value value : values) {
      int position = texts.indexOf(value.text());
      if (position < 0) {
        throw reader.error(value.place(), unknown(value.text(), what, texts));
      }
      chosen.add(choices.get(position));
    }
    return chosen;
  }

  private Map<String, Value> placements() {
    Map<String, Value> placements = new HashMap<>();
    reader.skipBlanks();
    do {
      int start = reader.place();
      String word = reader.readName();
      if (word.isEmpty()) {
        throw reader.error(start, "expected job=… or class=… after \"->\"");
      }
      if (!PLACEMENTS.contains(word)) {
        throw reader.error(start, unknown(word, "what the rule sets", PLACEMENTS));
      }
      if (!reader.take("=")) {
        throw reader.error(reader.place(), "expected = right after " + shown(word));
      }
      Value value = reader.readValue(word + "=");
      if (reader.looksAt(",")) {
        throw reader.error(reader.place(), "\",\": expected one value for " + shown(word));
      }
      if (placements.put(word, value) != null) {
        throw reader.error(start, shown(word) + ": expected each key once");
      }
      reader.skipBlanks();
    } while (!reader.atEnd() && !reader.looksAt(COMMENT));
    return placements;
  }

  private String trafficClass(Value value) {
    if (!Rule.isName(value.text())) {
      throw reader.error(
          value.place(),
          shown(value.text()) + ": expected a traffic class of " + Rule.NAME_EXPECTED);
    }
    return value.text();
  }

  private JobTemplate template(Value value) {
    String text = value.text();
    if (text.isEmpty()) {
      throw reader.error(value.place(), "expected a job id or a template such as jupyter-{user}");
    }
    List<JobTemplate.Part> parts = new ArrayList<>();
    int literalLength = 0;
    for (int from = 0; from < text.length(); ) {
      int end = from;
      if (text.charAt(from) == '{') {
        end = text.indexOf('}', from) + 1;
        if (end == 0) {
          throw reader.error(reader.placeIn(value, from), "\"{\": expected a closing brace");
        }
        parts.add(field(value, text.substring(from + 1, end - 1), from));
      } else {
        while (end < text.length() && text.charAt(end) != '{') {
          checkLiteral(value, end);
          end++;
        }
        parts.add(new JobTemplate.Part.Literal(text.substring(from, end)));
        literalLength += end - from;
      }
      from = end;
    }
    if (literalLength > JobId.LENGTH_MAX) {
      throw reader.error(
          value.place(),
          shown(text)
              + ": expected a job id of at most "
              + JobId.LENGTH_MAX
              + " characters, this one has at least "
              + literalLength);
    }
    return new JobTemplate(parts);
  }

  private void checkLiteral(Value value, int index) {
    char c = value.text().charAt(index);
    if (c == '}') {
      throw reader.error(
          reader.placeIn(value, index), "\"}\": expected an opening brace before it");
    }
    if (c == '*' && !value.quoted()) {
      throw reader.error(
          reader.placeIn(value, index),
          "\"*\": expected no wildcard in a template; a literal one goes in double quotes");
    }
  }

  private JobTemplate.Part field(Value value, String word, int index) {
    Key key = Key.named(word);
    if (key == null) {
      throw reader.error(
          reader.placeIn(value, index), unknown(word, "what goes in braces", Key.texts()));
    }
    return new JobTemplate.Part.Field(key);
  }

  private static String unknown(String word, String what, List<String> words) {
    String all = String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast();
    return shown(word) + ": expected " + what + ", " + all + Suggestion.of(word, words);
  }
}
