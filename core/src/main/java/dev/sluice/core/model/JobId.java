package dev.sluice.core.model;

/**
 * Who is charged for a request: a batch job, or whatever the rules put in its place (a user, a
 * service).
 *
 * <p>A class and not a record because its hash is asked for once per request: it is computed once.
 */
public final class JobId implements Comparable<JobId> {
  /**
   * Longer than any scheduler's or Lustre's job ids; a bound on what a stranger can make us keep.
   */
  public static final int LENGTH_MAX = 255;

  private final String value;
  private final int hash;

  private JobId(String value) {
    this.value = value;
    this.hash = value.hashCode();
  }

  /**
   * The job with this id; 1 to {@value #LENGTH_MAX} characters, none of them a control character.
   */
  public static JobId of(String value) {
    if (value.isEmpty() || value.length() > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "a job id has 1 to " + LENGTH_MAX + " characters, this one has " + value.length());
    }
    for (int i = 0; i < value.length(); i++) {
      if (Character.isISOControl(value.charAt(i))) {
        throw new IllegalArgumentException(
            "a job id has no control characters, this one has one at position " + (i + 1));
      }
    }
    return new JobId(value);
  }

  @Override
  public int compareTo(JobId other) {
    return this == other ? 0 : value.compareTo(other.value);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof JobId that && hash == that.hash && value.equals(that.value));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return value;
  }
}
