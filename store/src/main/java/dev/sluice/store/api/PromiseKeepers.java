package dev.sluice.store.api;

import dev.sluice.core.model.Target;
import dev.sluice.store.documents.PolicyDocument;
import dev.sluice.store.documents.PolicyDocumentReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who keeps what a document promises.
 *
 * @param targets on which guarantees are kept, as far as they are known now
 * @param nobody why nobody would keep any; null where somebody does
 */
public record PromiseKeepers(List<Target> targets, @Nullable String nobody) {
  public PromiseKeepers {
    targets = List.copyOf(targets);
  }

  /**
   * Lets a document pass whose promises can be kept.
   *
   * @param name what errors call it
   * @throws dev.sluice.document.DocumentException where it is wrong, or guarantees do not fit
   * @throws IllegalArgumentException where there is nobody to keep promises
   */
  void admit(String name, String content) {
    PolicyDocument document = PolicyDocumentReader.read(name, content, targets);
    if (nobody != null && !document.promises().isEmpty()) {
      throw new IllegalArgumentException(name + ": guarantees and goals: " + nobody);
    }
  }
}
