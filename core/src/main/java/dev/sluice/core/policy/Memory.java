package dev.sluice.core.policy;

/**
 * Where what a policy remembers is kept from one decision to the next.
 *
 * @param <S> what the policy remembers
 */
public interface Memory<S> {
  /**
   * What the next decision starts from.
   *
   * @param about the targets that it is about
   * @throws MemoryException where it cannot be had
   */
  S current(Cluster about);

  /**
   * Keeps what a decision remembers. When this returns, the decision may be carried out.
   *
   * @param before what the decision started from, as {@link #current} answered it
   * @throws MemoryException where it is not kept; the decision must not be carried out, and what is
   *     remembered is still {@code before}
   */
  void keep(S before, S next);

  /** A memory that ends with the process, and never fails. */
  static <S> Memory<S> inProcess(S initial) {
    return new InProcessMemory<>(initial);
  }
}
