package dev.sluice.store.documents;

import dev.sluice.core.classify.Wildcard;
import dev.sluice.core.model.JobId;
import org.jspecify.annotations.Nullable;

/**
 * A name in which {@code *} stands for any run of characters.
 *
 * @param wildcard null where there is no star, and the name means itself
 */
public record NamePattern(String text, @Nullable Wildcard wildcard) {
  /**
   * Reads a name as a document has it.
   *
   * @throws IllegalArgumentException for what nobody can be called, with what was expected
   */
  public static NamePattern parse(String text) {
    if (text.isBlank()
        || text.length() > JobId.LENGTH_MAX
        || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "expected a name of 1 to "
              + JobId.LENGTH_MAX
              + " characters, in which * stands for any run of them");
    }
    return new NamePattern(text, text.indexOf('*') < 0 ? null : Wildcard.parse(text));
  }

  public boolean matches(String name) {
    return wildcard == null ? text.equals(name) : wildcard.matches(name);
  }

  @Override
  public String toString() {
    return text;
  }
}
