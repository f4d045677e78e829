package dev.sluice.gateway.files;

import org.jspecify.annotations.Nullable;

/** What is to be set of a file's attributes; what is null stays as it is. */
public record AttributeChange(
    @Nullable Integer mode,
    @Nullable Integer uid,
    @Nullable Integer gid,
    @Nullable Long size,
    @Nullable TimeChange accessed,
    @Nullable TimeChange modified) {
  /** Nothing is to be set. */
  public static final AttributeChange NOTHING =
      new AttributeChange(null, null, null, null, null, null);

  /** The same, but that the mode stays as it is. */
  public AttributeChange withoutMode() {
    return new AttributeChange(null, uid, gid, size, accessed, modified);
  }

  /** To the server's clock, or to what the client says. */
  public sealed interface TimeChange {
    /** To the server's clock. */
    record Now() implements TimeChange {}

    /** To what the client says. */
    record To(Timestamp time) implements TimeChange {}
  }
}
