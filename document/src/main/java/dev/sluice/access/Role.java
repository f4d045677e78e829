package dev.sluice.access;

/** What somebody may do; each role may also do what those before it may. */
public enum Role {
  /** Look. */
  READ(0),
  /** Change what is decided: policy, weights, limits, observe-only. */
  OPERATE(1),
  /** Change what the program is made of: files it reads, documents it keeps. */
  ADMIN(2);

  private final int rank;

  Role(int rank) {
    this.rank = rank;
  }

  /** Whether somebody with this role may do what needs the other. */
  public boolean includes(Role needed) {
    return rank >= needed.rank;
  }
}
