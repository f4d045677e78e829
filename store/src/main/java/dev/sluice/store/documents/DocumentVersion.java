package dev.sluice.store.documents;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A document that was put in force once.
 *
 * @param version counts from 1
 * @param appliedNanos when, since 1970
 * @param author who did it
 * @param note why, in the author's words; may be empty
 * @param restores the version that it brings back; null where it says something new
 * @param changes what it changed, one line for each thing
 * @param content the text as it was written
 */
public record DocumentVersion(
    long version,
    long appliedNanos,
    String author,
    String note,
    @Nullable Long restores,
    List<String> changes,
    String content) {
  public DocumentVersion {
    changes = List.copyOf(changes);
  }
}
