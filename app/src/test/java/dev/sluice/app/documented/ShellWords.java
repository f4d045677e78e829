package dev.sluice.app.documented;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line of a shell, as far as documents have them: words, quotes, comments, {@code &&}, pipes and
 * redirections.
 */
final class ShellWords {
  /** In help texts, so many blanks are followed by what the command is for. */
  private static final String GAP = "   ";

  private ShellWords() {}

  /**
   * One command of a line.
   *
   * @param input the file that it reads as its standard input, if any
   * @param inBackground whether the shell goes on while it runs
   */
  record Command(List<String> words, @Nullable String input, boolean inBackground) {
    Command {
      words = List.copyOf(words);
    }
  }

  /** The commands of a line that are our own; what others do with their output is left out. */
  static List<Command> commands(String line) {
    List<Command> commands = new ArrayList<>();
    List<String> words = new ArrayList<>();
    for (String word : words(line)) {
      if (word.equals("&&") || word.equals("|") || word.equals("&")) {
        add(words, word.equals("&"), commands);
        words.clear();
      } else {
        words.add(word);
      }
    }
    add(words, false, commands);
    return commands;
  }

  private static void add(List<String> words, boolean inBackground, List<Command> commands) {
    if (words.isEmpty() || !words.getFirst().equals("./sluice")) {
      return;
    }
    List<String> own = new ArrayList<>();
    String input = null;
    for (int i = 1; i < words.size(); i++) {
      switch (words.get(i)) {
        case ">" -> i++;
        case "<" -> input = words.get(++i);
        default -> own.add(words.get(i));
      }
    }
    commands.add(new Command(own, input, inBackground));
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    boolean begun = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
        begun = true;
      } else if (c == ' ') {
        if (begun) {
          words.add(word.toString());
          word.setLength(0);
          begun = false;
        }
        if (line.startsWith(GAP, i)) {
          break;
        }
      } else if (c == '#' && !begun) {
        break;
      } else {
        word.append(c);
        begun = true;
      }
    }
    if (begun) {
      words.add(word.toString());
    }
    return words;
  }
}
