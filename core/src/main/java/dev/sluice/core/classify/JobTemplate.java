package dev.sluice.core.classify;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the job that is charged is made of what is known of a request: {@code jupyter-{user}}.
 *
 * <p>What a request brings along is chosen by strangers, and a request must be charged whatever it
 * is. So a control character becomes {@code ?}, and an id that is too long is cut: such requests
 * still count where the rule puts them, and nobody leaves a rule by an odd name. Only when nothing
 * is left at all, as of {@code {user}} without a user, the request stays with its own job.
 */
public final class JobTemplate {
  /** The request stays with its own job. */
  public static final JobTemplate OWN_JOB = new JobTemplate(List.of(new Part.Field(Key.JOB)));

  private final List<Part> parts;
  private final boolean ownJob;
  private final @Nullable JobId constant;

  /** A piece of a template. */
  sealed interface Part {
    /** Text that is always the same. */
    record Literal(String text) implements Part {
      @Override
      public String toString() {
        return text;
      }
    }

    /** What the request has there. */
    record Field(Key key) implements Part {
      @Override
      public String toString() {
        return "{" + key.text() + "}";
      }
    }
  }

  JobTemplate(List<Part> parts) {
    this.parts = List.copyOf(parts);
    this.ownJob = this.parts.equals(List.of(new Part.Field(Key.JOB)));
    this.constant =
        this.parts.stream().allMatch(Part.Literal.class::isInstance) ? JobId.of(toString()) : null;
  }

  // Theorem: never throws, and gives a valid id for every flow.
  JobId jobOf(Flow flow, Operation operation) {
    if (ownJob) {
      return flow.job();
    }
    if (constant != null) {
      return constant;
    }
    StringBuilder id = new StringBuilder();
    for (Part part : parts) {
      switch (part) {
        case Part.Literal literal -> appendSafely(id, literal.text());
        case Part.Field field -> appendSafely(id, field.key().textOf(flow, operation));
      }
    }
    return id.isEmpty() ? flow.job() : JobId.of(id.toString());
  }

  private static void appendSafely(StringBuilder id, String text) {
    for (int i = 0; i < text.length() && id.length() < JobId.LENGTH_MAX; i++) {
      char c = text.charAt(i);
      // Half of a pair of surrogates is no character: the pair goes in whole or not at all.
      if (Character.isHighSurrogate(c) && id.length() == JobId.LENGTH_MAX - 1) {
        return;
      }
      id.append(Character.isISOControl(c) ? '?' : c);
    }
  }

  @Override
  public boolean equals(Object other) {
    return this == other || (other instanceof JobTemplate that && parts.equals(that.parts));
  }

  @Override
  public int hashCode() {
    return parts.hashCode();
  }

  @Override
  public String toString() {
    return parts.stream().map(Part::toString).collect(Collectors.joining());
  }
}
