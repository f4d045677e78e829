package dev.sluice.gateway.knfsd;

import dev.sluice.document.DocumentException;
import dev.sluice.document.Place;
import dev.sluice.gateway.knfsd.KernelExport.Option;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file in the form of exports(5): a directory and its clients on each line, continued by a
 * backslash at its end; comments from a hash at the start of a word; quotes around, and octal
 * numbers for, what would end a word.
 */
final class ExportsFile {
  /** Far more than any site has. */
  static final int BYTES_MAX = 4 << 20;

  private static final int PATH_LENGTH_MAX = 512;
  private static final int ESCAPE_DIGITS = 3;

  private final String file;
  private final byte[] bytes;
  private int at;
  private int line = 1;
  private int column = 1;

  private ExportsFile(String file, byte[] bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  /** A word, without its quotes and escapes. */
  private record Word(String text, Place place) {}

  /**
   * Reads a file.
   *
   * @param file its name, for what is said about it
   * @throws DocumentException names the place of what cannot be read
   */
  static List<KernelExport> read(String file, byte[] bytes) {
    if (bytes.length > BYTES_MAX) {
      throw new DocumentException(
          new Place(file, 1, 1), "expected at most " + BYTES_MAX + " bytes, not " + bytes.length);
    }
    ExportsFile reader = new ExportsFile(file, bytes);
    List<KernelExport> exports = new ArrayList<>();
    while (reader.skipToLine()) {
      reader.readLine(exports);
    }
    return exports;
  }

  /** Goes to the first word of the next line that has one. */
  private boolean skipToLine() {
    while (at < bytes.length) {
      skipBlanks();
      if (at < bytes.length && bytes[at] != '\n') {
        return true;
      }
      if (at < bytes.length) {
        advance();
      }
    }
    return false;
  }

  private void readLine(List<KernelExport> exports) {
    Word first = readWord();
    String path = path(first);
    List<Option> defaults = List.of();
    boolean hasClient = false;
    for (Word word = nextWord(); word != null; word = nextWord()) {
      String text = word.text();
      if (text.startsWith("-")) {
        defaults = options(text.substring(1), shifted(word.place(), 1));
        continue;
      }
      hasClient = true;
      exports.add(client(path, first.place(), text, word.place(), defaults));
    }
    if (!hasClient) {
      exports.add(new KernelExport(path, first.place(), "", first.place(), defaults));
    }
  }

  private static KernelExport client(
      String path, Place pathPlace, String text, Place place, List<Option> defaults) {
    int open = text.indexOf('(');
    List<Option> options = new ArrayList<>(defaults);
    String client = text;
    if (open >= 0) {
      if (!text.endsWith(")")) {
        throw DocumentException.about(
            shifted(place, open),
            text.substring(open),
            "expected options in parentheses without blanks in between, such as (ro,sync)");
      }
      client = text.substring(0, open);
      options.addAll(
          options(text.substring(open + 1, text.length() - 1), shifted(place, open + 1)));
    } else if (text.indexOf(')') >= 0) {
      throw DocumentException.about(place, text, "expected ( before )");
    }
    return new KernelExport(path, pathPlace, client, place, options);
  }

  private static List<Option> options(String text, Place place) {
    List<Option> options = new ArrayList<>();
    int from = 0;
    for (String word : text.split(",", -1)) {
      if (!word.isEmpty()) {
        int equals = word.indexOf('=');
        options.add(
            new Option(
                equals < 0 ? word : word.substring(0, equals),
                equals < 0 ? "" : word.substring(equals + 1),
                shifted(place, from)));
      }
      from += word.length() + 1;
    }
    return options;
  }

  private static String path(Word word) {
    String text = word.text();
    if (!text.startsWith("/")) {
      throw DocumentException.about(
          word.place(), text, "expected a directory, with a slash in front");
    }
    StringBuilder path = new StringBuilder();
    for (String part : text.split("/", -1)) {
      if (part.equals(".") || part.equals("..")) {
        throw DocumentException.about(
            word.place(), text, "expected a directory without \".\" and \"..\"");
      }
      if (!part.isEmpty()) {
        path.append('/').append(part);
      }
    }
    boolean hasControls = text.chars().anyMatch(Character::isISOControl);
    if (hasControls || path.length() > PATH_LENGTH_MAX || text.startsWith("/@")) {
      throw DocumentException.about(
          word.place(),
          text,
          "expected a path of at most "
              + PATH_LENGTH_MAX
              + " characters, none of them a control character, that does not begin with /@:"
              + " a gateway can export no other");
    }
    return path.isEmpty() ? "/" : path.toString();
  }

  /** The next word of the line; null at its end, which is passed over. */
  private @Nullable Word nextWord() {
    skipBlanks();
    if (at == bytes.length) {
      return null;
    }
    if (bytes[at] == '\n') {
      advance();
      return null;
    }
    return readWord();
  }

  /** Blanks, comments, and ends of lines that do not count. */
  private void skipBlanks() {
    while (at < bytes.length) {
      byte letter = bytes[at];
      if (letter == '\\' && at + 1 < bytes.length && bytes[at + 1] == '\n') {
        advance();
        advance();
      } else if (letter == '#') {
        while (at < bytes.length && bytes[at] != '\n') {
          advance();
        }
      } else if (letter == ' ' || letter == '\t' || letter == '\r' || letter == '\f') {
        advance();
      } else {
        return;
      }
    }
  }

  private Word readWord() {
    Place place = new Place(file, line, column);
    ByteArrayOutputStream word = new ByteArrayOutputStream();
    Place quote = null;
    while (at < bytes.length && bytes[at] != '\n') {
      byte letter = bytes[at];
      boolean isBlank = letter == ' ' || letter == '\t' || letter == '\r' || letter == '\f';
      if (isBlank && quote == null) {
        break;
      }
      if (letter == '"') {
        quote = quote == null ? new Place(file, line, column) : null;
        advance();
      } else if (letter == '\\' && at + 1 < bytes.length && bytes[at + 1] == '\n') {
        break; // The line goes on, the word does not.
      } else if (letter == '\\' && isEscape()) {
        String digits = new String(bytes, at + 1, ESCAPE_DIGITS, StandardCharsets.US_ASCII);
        word.write(Integer.parseInt(digits, 8));
        for (int i = 0; i <= ESCAPE_DIGITS; i++) {
          advance();
        }
      } else {
        word.write(letter);
        advance();
      }
    }
    if (quote != null) {
      throw new DocumentException(quote, "expected another \" before the end of the line");
    }
    try {
      ByteBuffer letters = ByteBuffer.wrap(word.toByteArray());
      return new Word(StandardCharsets.UTF_8.newDecoder().decode(letters).toString(), place);
    } catch (CharacterCodingException e) {
      throw new DocumentException(place, "expected text in UTF-8");
    }
  }

  /** Whether a backslash has a byte's number behind it. */
  private boolean isEscape() {
    if (at + ESCAPE_DIGITS >= bytes.length || bytes[at + 1] > '3') {
      return false;
    }
    for (int i = 1; i <= ESCAPE_DIGITS; i++) {
      if (bytes[at + i] < '0' || bytes[at + i] > '7') {
        return false;
      }
    }
    return true;
  }

  private void advance() {
    if (bytes[at++] == '\n') {
      line++;
      column = 1;
    } else {
      column++;
    }
  }

  private static Place shifted(Place place, int columns) {
    return new Place(place.file(), place.line(), place.column() + columns);
  }
}
