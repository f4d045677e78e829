package dev.sluice.web.api;

import dev.sluice.command.JsonLine;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change in words, and the commands that take it back.
 *
 * @param undo in order; none where nothing can take it back
 */
record ChangeWords(String words, List<String> undo) {
  ChangeWords {
    undo = List.copyOf(undo);
  }

  /** What a command changes; null when it only asks. */
  static @Nullable ChangeWords of(DocumentMap command, Situation before) {
    try {
      return switch (command.required("command").text()) {
        case "policy" -> policy(command, before);
        case "observe" -> observe(command, before);
        case "job" -> job(command, before);
        case "rules" -> rules(command);
        case "reload" -> new ChangeWords("read the configuration again", List.of());
        default -> null;
      };
    } catch (DocumentException e) {
      // It will be refused.
      return null;
    }
  }

  private static @Nullable ChangeWords policy(DocumentMap command, Situation before) {
    DocumentNode name = command.optional("name");
    if (name == null) {
      return null;
    }
    Map<String, String> settings = new LinkedHashMap<>();
    DocumentNode given = command.optional("settings");
    if (given != null) {
      given.openMap().entries().forEach((key, value) -> settings.put(key, value.text()));
    }
    List<String> undo = new ArrayList<>();
    if (!before.policy().isEmpty()) {
      undo.add(
          JsonLine.object(json -> {
            json.writeStringProperty("command", "policy");
            json.writeStringProperty("name", before.policy());
            json.writeObjectPropertyStart("settings");
            before.settings().forEach(json::writeStringProperty);
            json.writeEndObject();
          }));
    }
    String was = before.policy().isEmpty() ? "" : was(named(before.policy(), before.settings()));
    return new ChangeWords("policy " + named(name.text(), settings) + was, undo);
  }

  private static String named(String policy, Map<String, String> settings) {
    StringBuilder words = new StringBuilder(policy);
    settings.forEach((name, value) -> words.append(' ').append(name).append('=').append(value));
    return words.toString();
  }

  private static String was(String before) {
    return " (was " + before + ")";
  }

  private static ChangeWords observe(DocumentMap command, Situation before) {
    boolean only = command.required("only").bool();
    String words = only ? "observe only: nothing is enforced" : "enforce what is decided";
    String undo =
        JsonLine.object(json -> {
          json.writeStringProperty("command", "observe");
          json.writeBooleanProperty("only", before.observesOnly());
        });
    return new ChangeWords(words, before.observesOnly() == only ? List.of() : List.of(undo));
  }

  private static ChangeWords job(DocumentMap command, Situation before) {
    String job = command.required("job").text();
    Situation.Set old = before.overrides().get(job);
    List<String> undo = new ArrayList<>();
    undo.add(
        JsonLine.object(json -> {
          json.writeStringProperty("command", "job");
          json.writeStringProperty("job", job);
          json.writeBooleanProperty("clear", true);
        }));
    if (old != null) {
      undo.add(set(job, old));
    }
    DocumentNode clear = command.optional("clear");
    List<String> words = new ArrayList<>();
    if (clear != null && clear.bool()) {
      words.add("nothing set any more");
      // To clear is to clear again, unless something was set.
      undo.removeFirst();
    }
    for (String key : List.of("weight", "limit", "priority", "phase")) {
      DocumentNode value = command.optional(key);
      if (value != null) {
        words.add(key + " " + value.text());
      }
    }
    return new ChangeWords(
        "job " + job + ": " + String.join(", ", words) + (old == null ? "" : was(words(old))),
        undo);
  }

  private static String words(Situation.Set set) {
    List<String> words = new ArrayList<>();
    if (set.weight() != null) {
      words.add("weight " + set.weight());
    }
    if (set.limit() != null) {
      words.add("limit " + set.limit());
    }
    if (set.priority() != null) {
      words.add("priority " + set.priority());
    }
    if (set.phase() != null) {
      words.add("phase " + set.phase());
    }
    return String.join(", ", words);
  }

  private static String set(String job, Situation.Set old) {
    return JsonLine.object(json -> {
      json.writeStringProperty("command", "job");
      json.writeStringProperty("job", job);
      if (old.weight() != null) {
        json.writeStringProperty("weight", old.weight());
      }
      if (old.limit() != null) {
        json.writeStringProperty("limit", old.limit());
      }
      if (old.priority() != null) {
        json.writeStringProperty("priority", old.priority());
      }
      if (old.phase() != null) {
        json.writeStringProperty("phase", old.phase());
      }
    });
  }

  private static @Nullable ChangeWords rules(DocumentMap command) {
    boolean loads = command.required("action").text().equals("load");
    return loads ? new ChangeWords("rules of " + command.required("file").text(), List.of()) : null;
  }
}
